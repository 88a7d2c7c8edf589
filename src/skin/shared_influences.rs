//! The influences of all vertices, shared by whoever shows them.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Weak};

use super::Influences;

/// One per vertex. A clone shares them, so that a mesh, the page and its pictures hold
/// a model's influences once; whoever changes a shared list gets a copy of its own.
#[derive(Clone, Debug, Default)]
pub struct SharedInfluences(Arc<Vec<Influences>>);

impl SharedInfluences {
    /// Are these the very same, without a look at them?
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Names these without keeping them: for whoever remembers what was made of them.
    #[must_use]
    pub fn name(&self) -> InfluencesName {
        InfluencesName(Arc::downgrade(&self.0))
    }
}

/// Which influences are meant; while it is held, no others get the same name.
#[derive(Clone, Debug)]
pub struct InfluencesName(Weak<Vec<Influences>>);

impl InfluencesName {
    /// Are these the very same?
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Does nobody hold them any more?
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Deref for SharedInfluences {
    type Target = Vec<Influences>;

    fn deref(&self) -> &Vec<Influences> {
        &self.0
    }
}

impl DerefMut for SharedInfluences {
    fn deref_mut(&mut self) -> &mut Vec<Influences> {
        Arc::make_mut(&mut self.0)
    }
}

impl PartialEq for SharedInfluences {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.0 == other.0
    }
}

impl From<Vec<Influences>> for SharedInfluences {
    fn from(influences: Vec<Influences>) -> Self {
        Self(Arc::new(influences))
    }
}

impl FromIterator<Influences> for SharedInfluences {
    fn from_iter<T: IntoIterator<Item = Influences>>(influences: T) -> Self {
        Self::from(influences.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a SharedInfluences {
    type Item = &'a Influences;
    type IntoIter = std::slice::Iter<'a, Influences>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::JointIndex;

    #[test]
    fn who_changes_shared_influences_changes_a_copy() {
        let influences = Influences::new(&[(JointIndex(1), 1.0)]);
        let stored = SharedInfluences::from(vec![influences; 3]);
        let mut edited = stored.clone();
        assert!(edited.is_same(&stored) && edited.name().is_same(&stored.name()));
        edited[1].weights[0] = 0.5;
        assert!(!edited.is_same(&stored) && edited != stored);
        assert_eq!(stored[1], influences);
        let name = edited.name();
        drop(edited);
        assert!(name.is_gone() && !stored.name().is_gone());
    }
}
