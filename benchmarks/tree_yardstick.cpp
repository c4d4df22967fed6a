// The yardstick of benchmarks/trees.py: tree kernels as one would first write them in C++.
//
// Each tree is nodes with string labels and string productions; the node list is sorted by production (by
// label for the partial tree kernel) once. A pair of trees is one merge of the two lists by string
// comparison, then a recursive Δ with a memo table. One thread, 64-bit floats, nothing shared between pairs.
//
// usage: tree_yardstick stk|ptk decay mu rows.txt columns.txt   (one bracketed tree a line)
// prints: CPU seconds, number of pairs, sum of all kernel values
//
// usage: tree_yardstick train decay C tolerance megabytes signs.txt trees.txt
// trains one support vector machine with a bias (normalised STK), as one would with this kernel: sequential minimal
// optimisation, the pair by the largest violation and the largest gain, kernel rows in single precision in a cache
// of that size (SVM-light's default is 40 megabytes) whose least recently used row gives way; every row that is
// not there is worked out pair by pair.
// prints: CPU seconds, dual objective, steps, kernel evaluations, support vectors
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Node {
  std::string label, production;
  std::vector<Node *> children;
  int number = 0;
};

struct Tree {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Node *> sorted;
};

static bool partial;
static double decay, mu;
static std::vector<double> memo;
static size_t memo_width;

static Tree read_tree(const std::string &text) {
  Tree tree;
  std::vector<Node *> open;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
    } else if (text[i] == ')') {
      open.pop_back();
      ++i;
    } else {
      const bool inner = text[i] == '(';
      if (inner) ++i;
      const size_t begin = i;
      while (i < text.size() && text[i] != ' ' && text[i] != '(' && text[i] != ')') ++i;
      tree.nodes.push_back(std::make_unique<Node>());
      Node *node = tree.nodes.back().get();
      node->label = text.substr(begin, i - begin);
      node->number = static_cast<int>(tree.nodes.size()) - 1;
      if (!open.empty()) open.back()->children.push_back(node);
      if (inner) open.push_back(node);
    }
  }
  for (auto &node : tree.nodes) {
    if (node->children.empty() && !partial) continue;
    node->production = node->label;
    if (!partial)
      for (Node *child : node->children) node->production += " " + child->label;
    tree.sorted.push_back(node.get());
  }
  std::sort(tree.sorted.begin(), tree.sorted.end(),
            [](Node *a, Node *b) { return a->production < b->production; });
  return tree;
}

static double subset_delta(const Node *a, const Node *b) {
  double &known = memo[a->number * memo_width + b->number];
  if (known >= 0) return known;
  double product = decay;
  for (size_t i = 0; i < a->children.size(); ++i) {
    const Node *x = a->children[i], *y = b->children[i];
    if (!x->children.empty() && !y->children.empty() && x->production == y->production)
      product *= 1 + subset_delta(x, y);
  }
  return known = product;
}

static double partial_delta(const Node *a, const Node *b) {
  double &known = memo[a->number * memo_width + b->number];
  if (known >= 0) return known;
  const size_t n = a->children.size(), m = b->children.size(), longest = std::min(n, m);
  std::vector<double> ending((n + 1) * (m + 1), 0.0), within(ending), delta(ending);
  double sum = 0;
  for (size_t i = 1; i <= n; ++i)
    for (size_t j = 1; j <= m; ++j)
      if (a->children[i - 1]->label == b->children[j - 1]->label) {
        const double value = partial_delta(a->children[i - 1], b->children[j - 1]);
        delta[i * (m + 1) + j] = ending[i * (m + 1) + j] = value;
        sum += value;
      }
  for (size_t length = 2; length <= longest; ++length) {
    std::fill(within.begin(), within.end(), 0.0);
    for (size_t i = 1; i <= n; ++i)
      for (size_t j = 1; j <= m; ++j) {
        const size_t at = i * (m + 1) + j;
        within[at] = ending[at] + decay * (within[at - m - 1] + within[at - 1]) -
                     decay * decay * within[at - m - 2];
        ending[at] = delta[at] * within[at - m - 2];
        sum += ending[at];
      }
  }
  return known = mu * (decay * decay + sum);
}

static double kernel(const Tree &a, const Tree &b) {
  std::vector<std::pair<const Node *, const Node *>> pairs;
  memo_width = b.nodes.size();
  if (memo.size() < a.nodes.size() * memo_width) memo.resize(a.nodes.size() * memo_width);
  size_t i = 0, j = 0;
  while (i < a.sorted.size() && j < b.sorted.size()) {
    const int order = a.sorted[i]->production.compare(b.sorted[j]->production);
    if (order < 0) {
      ++i;
    } else if (order > 0) {
      ++j;
    } else {
      size_t end = j;
      for (; i < a.sorted.size() && a.sorted[i]->production == b.sorted[j]->production; ++i)
        for (end = j; end < b.sorted.size() && b.sorted[end]->production == a.sorted[i]->production; ++end) {
          pairs.push_back({a.sorted[i], b.sorted[end]});
          memo[a.sorted[i]->number * memo_width + b.sorted[end]->number] = -1;
        }
      j = end;
    }
  }
  double sum = 0;
  for (auto &[x, y] : pairs) sum += partial ? partial_delta(x, y) : subset_delta(x, y);
  return sum;
}

static std::vector<Tree> read_file(const char *path) {
  std::ifstream file(path);
  std::vector<Tree> trees;
  for (std::string line; std::getline(file, line);) trees.push_back(read_tree(line));
  return trees;
}

class RowCache {
 public:
  RowCache(const std::vector<Tree> &trees, size_t megabytes)
      : trees_(trees), norms_(trees.size()), slot_of_(trees.size(), -1) {
    for (size_t i = 0; i < trees.size(); ++i) norms_[i] = std::sqrt(kernel(trees[i], trees[i]));
    evaluations = trees.size();
    capacity_ = std::max<size_t>(2, megabytes * 1000000 / (4 * trees.size()));
  }

  const float *row(size_t number) {
    long &slot = slot_of_[number];
    if (slot < 0) {
      if (rows_.size() < capacity_) {
        slot = static_cast<long>(rows_.size());
        rows_.emplace_back(trees_.size());
        owners_.push_back(number);
        used_.push_back(0);
      } else {
        slot = std::min_element(used_.begin(), used_.end()) - used_.begin();
        slot_of_[owners_[slot]] = -1;
        owners_[slot] = number;
      }
      for (size_t j = 0; j < trees_.size(); ++j) {
        const double value = kernel(trees_[number], trees_[j]) / (norms_[number] * norms_[j]);
        rows_[slot][j] = static_cast<float>(value);
      }
      evaluations += trees_.size();
    }
    used_[slot] = ++clock_;
    return rows_[slot].data();
  }

  size_t evaluations = 0;

 private:
  const std::vector<Tree> &trees_;
  std::vector<double> norms_;
  std::vector<long> slot_of_, used_;
  std::vector<size_t> owners_;
  std::vector<std::vector<float>> rows_;
  size_t capacity_;
  long clock_ = 0;
};

static void train(double cost, double tolerance, size_t megabytes, const char *sign_path, const char *tree_path) {
  const std::vector<Tree> trees = read_file(tree_path);
  std::vector<double> sign;
  std::ifstream signs(sign_path);
  for (double value; signs >> value;) sign.push_back(value);
  const size_t n = trees.size();
  const std::clock_t start = std::clock();
  RowCache cache(trees, megabytes);
  std::vector<double> alpha(n, 0.0), gradient(n, -1.0);
  size_t steps = 0;
  for (;; ++steps) {
    double up = -HUGE_VAL, down = -HUGE_VAL, best = 0.0;
    size_t i = n, j = n;
    for (size_t t = 0; t < n; ++t)
      if ((sign[t] > 0 ? alpha[t] < cost : alpha[t] > 0) && -sign[t] * gradient[t] > up) {
        up = -sign[t] * gradient[t];
        i = t;
      }
    const float *row = cache.row(i);
    for (size_t t = 0; t < n; ++t) {
      if (!(sign[t] > 0 ? alpha[t] > 0 : alpha[t] < cost)) continue;
      const double slope = up + sign[t] * gradient[t];
      down = std::max(down, sign[t] * gradient[t]);
      const double gain = slope * slope / std::max(2.0 - 2.0 * row[t], 1e-12);
      if (slope > 0 && gain > best) {
        best = gain;
        j = t;
      }
    }
    if (j == n || up + down < tolerance) break;
    const float *other = cache.row(j);
    const double room_i = sign[i] > 0 ? cost - alpha[i] : alpha[i];
    const double room_j = sign[j] > 0 ? alpha[j] : cost - alpha[j];
    const double wanted = (up + sign[j] * gradient[j]) / std::max(2.0 - 2.0 * row[j], 1e-12);
    const double move = std::min(wanted, std::min(room_i, room_j));
    alpha[i] = move == room_i ? (sign[i] > 0 ? cost : 0.0) : alpha[i] + sign[i] * move;
    alpha[j] = move == room_j ? (sign[j] > 0 ? 0.0 : cost) : alpha[j] - sign[j] * move;
    for (size_t t = 0; t < n; ++t) gradient[t] += sign[t] * move * (row[t] - other[t]);
  }
  double objective = 0.0;
  size_t support = 0;
  for (size_t t = 0; t < n; ++t) {
    objective += 0.5 * alpha[t] * (gradient[t] - 1.0);
    support += alpha[t] > 0;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.6f %.17g %zu %zu %zu\n", seconds, objective, steps, cache.evaluations, support);
}

int main(int count, char **arguments) {
  if (count == 8 && std::string(arguments[1]) == "train") {
    decay = std::stod(arguments[2]);
    train(std::stod(arguments[3]), std::stod(arguments[4]), std::stoul(arguments[5]), arguments[6], arguments[7]);
    return 0;
  }
  if (count != 6) {
    std::cerr << "usage: tree_yardstick stk|ptk decay mu rows.txt columns.txt\n"
                 "       tree_yardstick train decay C tolerance megabytes signs.txt trees.txt\n";
    return 2;
  }
  partial = std::string(arguments[1]) == "ptk";
  decay = std::stod(arguments[2]);
  mu = std::stod(arguments[3]);
  const std::vector<Tree> rows = read_file(arguments[4]), columns = read_file(arguments[5]);
  const std::clock_t start = std::clock();
  double sum = 0;
  for (const Tree &row : rows)
    for (const Tree &column : columns) sum += kernel(row, column);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.6f %zu %.17g\n", seconds, rows.size() * columns.size(), sum);
}
