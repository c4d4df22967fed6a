// The yardstick of benchmarks/trees.py: tree kernels as one would first write them in C++.
//
// Each tree is nodes with string labels and string productions; the node list is sorted by production (by
// label for the partial tree kernel) once. A pair of trees is one merge of the two lists by string
// comparison, then a recursive Δ with a memo table. One thread, 64-bit floats, nothing shared between pairs.
//
// usage: tree_yardstick stk|ptk decay mu rows.txt columns.txt   (one bracketed tree a line)
// prints: CPU seconds, number of pairs, sum of all kernel values
#include <algorithm>
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

int main(int count, char **arguments) {
  if (count != 6) {
    std::cerr << "usage: tree_yardstick stk|ptk decay mu rows.txt columns.txt\n";
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
