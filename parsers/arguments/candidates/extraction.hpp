// Candidates for the arguments of a predicate: every constituent that does not cover it, with its features and its
// argument spanning tree (the path from the lowest common node to the predicate, and that to the candidate with
// everything below it).
#pragma once

#include <cstdint>
#include <vector>

#include "parsers/arguments/candidates/features.hpp"
#include "parsers/arguments/candidates/trees.hpp"

namespace kakari {

enum CandidateFlag : uint8_t { GOLD = 1, CHAIN = 2, NEAR = 4 };  // NEAR: Xue and Palmer keep it
enum LabelMark : int32_t { PLAIN = 0, BOUNDARY = 1, PREDICATE = 2, MARKS_A_LABEL = 3 };

struct ArgumentSpan {
  int32_t begin, end;
};

struct CandidateOptions {
  bool features = true, trees = true, siblings = false, prune = false;
};

struct CandidateRows {
  std::vector<int32_t> begins, ends, nodes;
  std::vector<uint8_t> flags;
  std::vector<int64_t> feature_offsets{0}, tree_offsets{0};
  std::vector<int32_t> features, labels, arities;
};

class CandidateFinder {
 public:
  ArgumentFeatures features;

  // Appends the candidates of one predicate. `lemma` stands for the predicate's word in trees, if it is not < 0.
  void find(const ArgumentTree &tree, int32_t token, int32_t lemma, const std::vector<ArgumentSpan> &gold,
            const CandidateOptions &options, CandidateRows &rows) {
    features.meet(tree, token, predicate_);
    find_near(tree);
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      const int32_t number = static_cast<int32_t>(i);
      if (predicate_.steps[i] >= 0 || (options.prune && !near_[i])) continue;
      const ArgumentNode &node = tree.nodes[i];
      uint8_t flags = near_[i] ? NEAR : 0;
      for (const ArgumentSpan &span : gold)
        if (span.begin == node.begin && span.end == node.end) flags |= GOLD;
      if (tree.nodes[node.parent].children == 1) flags |= CHAIN;
      rows.begins.push_back(node.begin);
      rows.ends.push_back(node.end);
      rows.nodes.push_back(number);
      rows.flags.push_back(flags);
      if (options.features) features.write(tree, predicate_, number, rows.features);
      rows.feature_offsets.push_back(static_cast<int64_t>(rows.features.size()));
      if (options.trees) write_tree(tree, number, lemma, options.siblings, rows);
      rows.tree_offsets.push_back(static_cast<int64_t>(rows.labels.size()));
    }
  }

 private:
  // Sisters of the nodes on the way up, unless coordinated with them; the children of a PP as well.
  void find_near(const ArgumentTree &tree) {
    near_.assign(tree.nodes.size(), false);
    for (const int32_t at : predicate_.path) {
      const ArgumentNode &node = tree.nodes[at];
      if (node.parent < 0) break;
      const ArgumentNode &parent = tree.nodes[node.parent];
      bool coordinated = false;
      for (int32_t i = 0; i < parent.children; ++i) coordinated |= tree.child(parent, i).category == CONJUNCTION;
      for (int32_t i = 0; i < parent.children; ++i) {
        const int32_t sister = tree.children[parent.first_child + i];
        const ArgumentNode &other = tree.nodes[sister];
        if (sister == at || (coordinated && other.category == node.category)) continue;
        if (is_in(other.category, MARKS | set_of({CONJUNCTION}))) continue;
        near_[sister] = true;
        if (other.category != PREPOSITION_PHRASE) continue;
        for (int32_t j = 0; j < other.children; ++j) near_[tree.children[other.first_child + j]] = true;
      }
    }
  }

  static int32_t marked(int32_t label, LabelMark mark) { return MARKS_A_LABEL * label + mark; }

  void put(CandidateRows &rows, int32_t label, int32_t arity) {
    rows.labels.push_back(label);
    rows.arities.push_back(arity);
  }

  void write_tree(const ArgumentTree &tree, int32_t number, int32_t lemma, bool siblings, CandidateRows &rows) {
    const ArgumentNode &node = tree.nodes[number];
    const bool left = node.end <= predicate_.token;
    int32_t common = number, mine = number;
    while (predicate_.steps[common] < 0) mine = common, common = tree.nodes[common].parent;
    const int32_t its = predicate_.path[predicate_.steps[common] - 1];
    const ArgumentNode &top = tree.nodes[common];
    const int32_t first = left ? mine : its, second = left ? its : mine;
    int32_t arity = 2;
    if (siblings) {
      arity = top.children;
      put_siblings(tree, top, 0, tree.nodes[first].place, rows);
    }
    left ? put_candidate(tree, number, common, siblings, rows) : put_predicate(tree, common, lemma, siblings, rows);
    if (siblings) put_siblings(tree, top, tree.nodes[first].place + 1, tree.nodes[second].place, rows);
    left ? put_predicate(tree, common, lemma, siblings, rows) : put_candidate(tree, number, common, siblings, rows);
    if (siblings) put_siblings(tree, top, tree.nodes[second].place + 1, top.children, rows);
    put(rows, marked(top.number, PLAIN), arity);
  }

  void put_siblings(const ArgumentTree &tree, const ArgumentNode &parent, int32_t from, int32_t to,
                    CandidateRows &rows) {
    for (int32_t i = from; i < to; ++i) put(rows, marked(tree.child(parent, i).number, PLAIN), 0);
  }

  // The candidate with everything below it, then the way up to the common node.
  void put_candidate(const ArgumentTree &tree, int32_t number, int32_t common, bool siblings, CandidateRows &rows) {
    if (siblings) open_way(tree, number, common, rows);
    const ArgumentNode &node = tree.nodes[number];
    for (int32_t i = node.low; i < node.low + node.size - 1; ++i)
      put(rows, marked(tree.labels[i], PLAIN), tree.arities[i]);
    put(rows, marked(node.number, BOUNDARY), tree.arities[node.low + node.size - 1]);
    close_way(tree, number, common, siblings, rows);
  }

  void put_predicate(const ArgumentTree &tree, int32_t common, int32_t lemma, bool siblings, CandidateRows &rows) {
    if (siblings) open_way(tree, predicate_.node, common, rows);
    const int32_t word = lemma >= 0 ? lemma : tree.tokens[predicate_.token].word;
    if (word >= 0) put(rows, marked(word, PLAIN), 0);
    put(rows, marked(tree.nodes[predicate_.node].number, PREDICATE), word >= 0);
    close_way(tree, predicate_.node, common, siblings, rows);
  }

  // What stands to the left of the way from below the common node down to a node.
  void open_way(const ArgumentTree &tree, int32_t number, int32_t common, CandidateRows &rows) {
    way_.clear();
    for (int32_t at = number; tree.nodes[at].parent != common; at = tree.nodes[at].parent) way_.push_back(at);
    for (size_t i = way_.size(); i-- > 0;)
      put_siblings(tree, tree.nodes[tree.nodes[way_[i]].parent], 0, tree.nodes[way_[i]].place, rows);
  }

  void close_way(const ArgumentTree &tree, int32_t number, int32_t common, bool siblings, CandidateRows &rows) {
    for (int32_t at = number; tree.nodes[at].parent != common; at = tree.nodes[at].parent) {
      const ArgumentNode &parent = tree.nodes[tree.nodes[at].parent];
      if (siblings) put_siblings(tree, parent, tree.nodes[at].place + 1, parent.children, rows);
      put(rows, marked(parent.number, PLAIN), siblings ? parent.children : 1);
    }
  }

  ArgumentPredicate predicate_;
  std::vector<bool> near_;
  std::vector<int32_t> way_;
};

}  // namespace kakari
