// The Cholesky factor of a growing and shrinking Gram matrix: K = L Lᵀ, row i of L being rows_[i][0..i].
//
// Projecting k onto the span of the members, appending a member and removing one are O(n²) each. A factor,
// unlike an inverse that is updated, does not lose accuracy as it grows: removing a member is a rank-one
// update by rotations, which cannot fail, and nothing is ever subtracted that could make the matrix
// indefinite.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace kakari {

class CholeskyFactor {
 public:
  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  const std::vector<double> &row(int64_t member) const { return rows_[member]; }

  // Solves L forward = k; gives ‖forward‖² = kᵀ K⁻¹ k, the squared length of the projection.
  double project(const double *k, std::vector<double> &forward) const {
    forward.resize(size());
    double squared = 0.0;
    for (int64_t i = 0; i < size(); ++i) {
      forward[i] = (k[i] - dot(rows_[i].data(), forward.data(), i)) / rows_[i][i];
      squared += forward[i] * forward[i];
    }
    return squared;
  }

  // From `forward`, the coefficients K⁻¹ k of the projection.
  void coefficients(const std::vector<double> &forward, std::vector<double> &solution) const {
    solution = forward;
    for (int64_t i = size() - 1; i >= 0; --i) {
      solution[i] /= rows_[i][i];
      for (int64_t j = 0; j < i; ++j) solution[j] -= rows_[i][j] * solution[i];
    }
  }

  // A new last member, whose projection was `forward` and whose distance from the span is `distance` > 0.
  void append(const std::vector<double> &forward, double distance) {
    rows_.push_back(forward);
    rows_.back().push_back(distance);
  }

  void remove(int64_t member) {
    std::vector<double> column;  // what the rows below lose with the member's column
    for (int64_t i = member + 1; i < size(); ++i) {
      column.push_back(rows_[i][member]);
      rows_[i].erase(rows_[i].begin() + member);
    }
    rows_.erase(rows_.begin() + member);
    for (int64_t pivot = member; pivot < size(); ++pivot) {
      const double lost = column[pivot - member], diagonal = rows_[pivot][pivot];
      const double length = std::hypot(diagonal, lost), cosine = length / diagonal, sine = lost / diagonal;
      rows_[pivot][pivot] = length;
      for (int64_t i = pivot + 1; i < size(); ++i) {
        rows_[i][pivot] = (rows_[i][pivot] + sine * column[i - member]) / cosine;
        column[i - member] = cosine * column[i - member] - sine * rows_[i][pivot];
      }
    }
  }

 private:
  static double dot(const double *a, const double *b, int64_t size) {
    double parts[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= size; i += 4)
      for (int lane = 0; lane < 4; ++lane) parts[lane] += a[i + lane] * b[i + lane];
    for (; i < size; ++i) parts[0] += a[i] * b[i];
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
  }

  std::vector<std::vector<double>> rows_;
};

}  // namespace kakari
