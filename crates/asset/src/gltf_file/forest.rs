//! The hierarchy of a file's nodes, by their lists of children; also where these form
//! no trees.

use std::cell::Cell;

/// The trees that the nodes form: the one place where parents and children of a file
/// are walked. A node with two parents hangs below the one that names it first. A node
/// on a loop, or below one, is in no tree: it has no parent here, so that every walk
/// upwards ends.
#[derive(Debug, Default)]
pub(crate) struct NodeForest {
    /// By node.
    parents: Vec<Option<usize>>,
    /// By node: the first that names it as its child. Runs in circles on loops.
    named_by: Vec<Option<usize>>,
    /// Nodes of trees, parents before children.
    pub(crate) order: Vec<usize>,
    /// Children that are not as they must be, in the file's order.
    pub(crate) faults: Vec<ChildFault>,
    /// Every loop once, except nodes in their own lists.
    pub(crate) loops: Vec<NodeLoop>,
    /// Index of each node in depth-first order, and the number of nodes in its subtree,
    /// itself included. (0, 0) for nodes that are in no tree.
    spans: Vec<(usize, usize)>,
    visits: Cell<usize>,
}

/// An entry of a list of children that says what cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildFault {
    /// The node that has the list.
    pub(crate) parent: usize,
    /// Index of the entry.
    pub(crate) place: usize,
    /// The entry's value.
    pub(crate) child: usize,
    /// Why the entry is ignored.
    pub(crate) kind: ChildFaultKind,
}

/// Why an entry of a list of children is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChildFaultKind {
    /// There is no such node.
    Missing,
    /// The node itself.
    Own,
    /// This node has named it before; perhaps the same one.
    Named(usize),
}

/// Nodes that are their own ancestors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeLoop {
    /// The first of them in the file.
    pub(crate) lowest: usize,
    /// How many they are.
    pub(crate) length: usize,
}

impl NodeForest {
    /// `children` are the entries of a node's list, as stored.
    pub(crate) fn new<C: IntoIterator<Item = usize>>(
        count: usize,
        children: impl Fn(usize) -> C,
    ) -> Self {
        let mut named_by: Vec<Option<usize>> = vec![None; count];
        let mut faults = Vec::new();
        for parent in 0..count {
            for (place, child) in children(parent).into_iter().enumerate() {
                let kind = match named_by.get_mut(child) {
                    None => ChildFaultKind::Missing,
                    Some(_) if child == parent => ChildFaultKind::Own,
                    Some(Some(first)) => ChildFaultKind::Named(*first),
                    Some(free) => {
                        *free = Some(parent);
                        continue;
                    }
                };
                faults.push(ChildFault { parent, place, child, kind });
            }
        }
        let mut forest = Self { named_by, faults, ..Self::default() };
        forest.parents = vec![None; count];
        forest.descend(children);
        forest.find_loops();
        forest.measure_spans();
        forest
    }

    /// From the parents alone, as a list gives them.
    pub(crate) fn from_parents(parents: &[Option<usize>]) -> Self {
        let mut children = vec![Vec::new(); parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            if let Some(list) = parent.and_then(|parent| children.get_mut(parent)) {
                list.push(node);
            }
        }
        Self::new(parents.len(), |node| children[node].iter().copied())
    }

    /// The parent of a node in its tree. `None` for roots and for nodes of no tree.
    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.visit();
        self.parents.get(node).copied().flatten()
    }

    /// All nodes above, the nearest first.
    pub(crate) fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// The node that names this one as its child first, also on loops: what the file
    /// says, and nothing to walk along.
    pub(crate) fn named_by(&self, node: usize) -> Option<usize> {
        self.named_by.get(node).copied().flatten()
    }

    /// Is `node` the same as `ancestor`, or below it? Never on loops.
    pub(crate) fn is_below(&self, node: usize, ancestor: usize) -> bool {
        match (self.spans.get(node), self.spans.get(ancestor)) {
            (Some(&(place, 1..)), Some(&(from, length))) => (from..from + length).contains(&place),
            _ => false,
        }
    }

    /// Marks these nodes and all above them, each once. Ignores nodes that are not there.
    pub(crate) fn with_ancestors(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.parents.len()];
        for node in nodes {
            let mut next = Some(node).filter(|&node| node < marked.len());
            // What is above a marked node is marked already.
            while let Some(node) = next.filter(|&node| !marked[node]) {
                marked[node] = true;
                next = self.parent(node);
            }
        }
        marked
    }

    /// For each of some nodes the nearest of them above it, by its index in the list.
    /// Of a node that is listed twice, the last entry counts. Takes no longer where the
    /// nodes stand deep.
    pub(crate) fn nearest_above(&self, nodes: &[usize]) -> Vec<Option<usize>> {
        let place = |at: usize| self.spans.get(nodes[at]).filter(|(_, length)| *length > 0);
        let mut places: Vec<(usize, usize)> =
            (0..nodes.len()).filter_map(|at| Some((place(at)?.0, at))).collect();
        places.sort_unstable();
        let mut nearest = vec![None; nodes.len()];
        // Those that may have the next one below them, from the top down.
        let mut open: Vec<usize> = Vec::new();
        for (_, at) in places {
            while let Some(&last) = open.last()
                && (nodes[last] == nodes[at] || !self.is_below(nodes[at], nodes[last]))
            {
                open.pop();
            }
            nearest[at] = open.last().copied();
            open.push(at);
        }
        nearest
    }

    /// Nodes at which walks have arrived, those of the construction included.
    #[cfg(test)]
    pub(crate) fn visits(&self) -> usize {
        self.visits.get()
    }

    fn visit(&self) {
        self.visits.set(self.visits.get() + 1);
    }

    /// From the roots down, level by level. What is never reached lies on a loop, or
    /// below one.
    fn descend<C: IntoIterator<Item = usize>>(&mut self, children: impl Fn(usize) -> C) {
        let roots = (0..self.named_by.len()).filter(|&node| self.named_by[node].is_none());
        self.order = roots.collect();
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            self.visit();
            for child in children(node) {
                // Named twice, or by two parents: once is enough.
                if self.named_by.get(child) == Some(&Some(node)) && self.parents[child].is_none() {
                    self.parents[child] = Some(node);
                    self.order.push(child);
                }
            }
            next += 1;
        }
    }

    fn find_loops(&mut self) {
        // 0: not seen; otherwise the number of the walk that has seen it.
        let mut seen = vec![0_usize; self.named_by.len()];
        for &node in &self.order {
            seen[node] = usize::MAX;
        }
        for start in 0..seen.len() {
            let walk = start + 1;
            let mut node = start;
            while seen[node] == 0
                && let Some(parent) = self.named_by[node]
            {
                self.visit();
                seen[node] = walk;
                node = parent;
            }
            // Back at a node of this very walk: it lies on a loop.
            if seen[node] == walk {
                let found = self.loop_through(node);
                self.loops.push(found);
            }
        }
    }

    /// The loop that this node lies on.
    fn loop_through(&self, node: usize) -> NodeLoop {
        let mut found = NodeLoop { lowest: node, length: 1 };
        let mut at = self.named_by[node];
        while let Some(above) = at.filter(|&above| above != node) {
            self.visit();
            found.lowest = found.lowest.min(above);
            found.length += 1;
            at = self.named_by[above];
        }
        found
    }

    fn measure_spans(&mut self) {
        let parents = &self.parents;
        let mut spans = vec![(0, 0); parents.len()];
        for &node in self.order.iter().rev() {
            spans[node].1 += 1;
            if let Some(parent) = parents[node] {
                spans[parent].1 += spans[node].1;
            }
        }
        // The first place that is free below each node.
        let mut free = vec![0; parents.len()];
        let mut free_root = 0;
        for &node in &self.order {
            let place = match parents[node] {
                Some(parent) => &mut free[parent],
                None => &mut free_root,
            };
            let mine = *place;
            *place += spans[node].1;
            spans[node].0 = mine;
            free[node] = mine + 1;
        }
        self.spans = spans;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(children: &[&[usize]]) -> NodeForest {
        NodeForest::new(children.len(), |node| children[node].iter().copied())
    }

    #[test]
    fn trees_know_what_stands_below_what() {
        let trees = forest(&[&[2, 3], &[], &[4], &[], &[]]);
        assert_eq!(trees.parents, [None, None, Some(0), Some(0), Some(2)]);
        assert_eq!(trees.order, [0, 1, 2, 3, 4]);
        assert!(trees.faults.is_empty() && trees.loops.is_empty());
        for (ancestor, below) in [(0, vec![0, 2, 3, 4]), (1, vec![1]), (2, vec![2, 4])] {
            let found = (0..6).filter(|&node| trees.is_below(node, ancestor));
            assert_eq!(found.collect::<Vec<_>>(), below, "{ancestor}");
        }
        assert!(!trees.is_below(9, 0) && !trees.is_below(0, 9));
    }

    #[test]
    fn what_forms_no_tree_is_told_once_and_left_out() {
        let knot = forest(&[&[1, 9], &[2], &[1, 2], &[5, 5], &[3], &[4]]);
        let fault = |parent, place, child, kind| ChildFault { parent, place, child, kind };
        let expected = [
            fault(0, 1, 9, ChildFaultKind::Missing),
            fault(2, 0, 1, ChildFaultKind::Named(0)),
            fault(2, 1, 2, ChildFaultKind::Own),
            fault(3, 1, 5, ChildFaultKind::Named(3)),
        ];
        assert_eq!(knot.faults, expected);
        assert_eq!(knot.order, [0, 1, 2]);
        let of_three = NodeLoop { lowest: 3, length: 3 };
        assert_eq!(knot.loops, [of_three]);
        assert!(!knot.is_below(5, 3));
        for node in 3..6 {
            assert_eq!(knot.parent(node), None, "{node}");
            assert!(knot.named_by(node).is_some(), "{node}");
        }
        // Two nodes of each other, and one below them.
        let below = forest(&[&[1], &[0, 2], &[]]);
        assert_eq!(below.ancestors(2).count(), 0);
        assert_eq!(below.loops, [NodeLoop { lowest: 0, length: 2 }]);
    }
    #[test]
    fn the_nearest_of_a_list_above_each_is_that_of_a_walk() {
        let trees = forest(&[&[2, 3], &[], &[4], &[], &[5], &[]]);
        for nodes in [
            vec![5, 4, 3, 2, 1, 0],
            vec![0, 5],
            vec![5, 2, 3],
            vec![2, 5, 2, 9],
            vec![0, 0, 4, 4],
            vec![],
        ] {
            let by_walk = nodes.iter().map(|&node| {
                let mut above = trees.ancestors(node);
                above.find_map(|above| nodes.iter().rposition(|&other| other == above))
            });
            assert_eq!(trees.nearest_above(&nodes), by_walk.collect::<Vec<_>>(), "{nodes:?}");
        }
    }

    #[test]
    fn marks_reach_the_root_and_no_further() {
        let knot = forest(&[&[1], &[2], &[], &[4], &[3, 5], &[]]);
        let marked = knot.with_ancestors([2, 5, 99]);
        assert_eq!(marked, [true, true, true, false, false, true]);
    }
}
