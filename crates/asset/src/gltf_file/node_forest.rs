//! Who stands below whom, by the lists of children of a file's nodes; also where
//! these form no trees.

/// The trees that the nodes form. A node with two parents stands below the one
/// that names it first; what lies on a loop, or below one, is in no tree.
#[derive(Debug, Default)]
pub(crate) struct NodeForest {
    /// By node.
    pub(crate) parents: Vec<Option<usize>>,
    /// Nodes of trees, parents before children.
    pub(crate) order: Vec<usize>,
    /// Children that are not as they must be, in the file's order.
    pub(crate) faults: Vec<ChildFault>,
    /// Of each node in a tree: its place in a walk that leaves a node only when
    /// all below it were seen, and how many nodes that are with itself. (0, 0)
    /// elsewhere.
    spans: Vec<(usize, usize)>,
}

/// An entry of a list of children that says what cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildFault {
    /// Whose list it is.
    pub(crate) parent: usize,
    /// Index of the entry.
    pub(crate) place: usize,
    /// What it names.
    pub(crate) child: usize,
    /// What is wrong with it.
    pub(crate) kind: ChildFaultKind,
}

/// What is wrong with an entry of a list of children.
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
        let mut parents: Vec<Option<usize>> = vec![None; count];
        let mut faults = Vec::new();
        for parent in 0..count {
            for (place, child) in children(parent).into_iter().enumerate() {
                let kind = match parents.get_mut(child) {
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
        let order = order(&parents, children);
        let spans = spans(&parents, &order);
        Self { parents, order, faults, spans }
    }

    /// Is `node` the same as `ancestor`, or below it? Never on loops.
    pub(crate) fn is_below(&self, node: usize, ancestor: usize) -> bool {
        match (self.spans.get(node), self.spans.get(ancestor)) {
            (Some(&(place, 1..)), Some(&(from, length))) => (from..from + length).contains(&place),
            _ => false,
        }
    }

    /// Every loop once, but for nodes in their own lists.
    pub(crate) fn loops(&self) -> Vec<NodeLoop> {
        // 0: not seen; else by which start it was seen.
        let mut seen = vec![0_usize; self.parents.len()];
        let mut found = Vec::new();
        for start in 0..self.parents.len() {
            let mut node = start;
            while seen[node] == 0 {
                seen[node] = start + 1;
                match self.parents[node] {
                    Some(parent) => node = parent,
                    None => break,
                }
            }
            // Back at a node of this very way: it lies on a loop.
            if self.parents[node].is_some() && seen[node] == start + 1 {
                found.push(self.loop_through(node));
            }
        }
        found
    }

    fn loop_through(&self, node: usize) -> NodeLoop {
        let up = |&at: &usize| self.parents[at].filter(|&parent| parent != node);
        let others = std::iter::successors(Some(node), up);
        others.fold(NodeLoop { lowest: node, length: 0 }, |found, at| NodeLoop {
            lowest: found.lowest.min(at),
            length: found.length + 1,
        })
    }
}

/// From the roots down, level by level. What is never reached lies on a loop, or
/// below one.
fn order<C: IntoIterator<Item = usize>>(
    parents: &[Option<usize>],
    children: impl Fn(usize) -> C,
) -> Vec<usize> {
    let roots = (0..parents.len()).filter(|&node| parents[node].is_none());
    let mut order: Vec<usize> = roots.collect();
    let mut reached = vec![false; parents.len()];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        for child in children(node) {
            // Named twice, or by two parents: once is enough.
            if parents.get(child) == Some(&Some(node)) && !reached[child] {
                reached[child] = true;
                order.push(child);
            }
        }
        next += 1;
    }
    order
}

fn spans(parents: &[Option<usize>], order: &[usize]) -> Vec<(usize, usize)> {
    let mut spans = vec![(0, 0); parents.len()];
    for &node in order.iter().rev() {
        spans[node].1 += 1;
        if let Some(parent) = parents[node] {
            spans[parent].1 += spans[node].1;
        }
    }
    // The first place that is free below each node.
    let mut free = vec![0; parents.len()];
    let mut free_root = 0;
    for &node in order {
        let place = match parents[node] {
            Some(parent) => &mut free[parent],
            None => &mut free_root,
        };
        let mine = *place;
        *place += spans[node].1;
        spans[node].0 = mine;
        free[node] = mine + 1;
    }
    spans
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
        assert!(trees.faults.is_empty() && trees.loops().is_empty());
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
        assert_eq!(knot.loops(), [of_three]);
        assert!(!knot.is_below(5, 3));
    }
}
