//! The influences of meshes, sorted for skinning all vertices at once, and kept: what
//! is dragged changes matrices, not weights.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use bindpose_asset::Mesh;
use bindpose_skin::{InfluencesName, Method, SharedInfluences, VertexGroups};

/// Groups that are remembered.
const KEPT: usize = 8;

/// Of what. A weak one keeps the place in memory from being given to another.
#[derive(Clone)]
enum GroupsOf {
    /// All influences that the mesh stores.
    Stored(Weak<Mesh>),
    /// Influences with a reader's edits, on a mesh.
    Edited(Weak<Mesh>, InfluencesName),
    /// Of each the strongest.
    Strongest(InfluencesName),
}

impl GroupsOf {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stored(one), Self::Stored(other)) => one.ptr_eq(other),
            (Self::Edited(mesh, one), Self::Edited(other_mesh, other)) => {
                mesh.ptr_eq(other_mesh) && one.is_same(other)
            }
            (Self::Strongest(one), Self::Strongest(other)) => one.is_same(other),
            _ => false,
        }
    }

    fn is_gone(&self) -> bool {
        match self {
            Self::Stored(mesh) => mesh.strong_count() == 0,
            Self::Edited(mesh, influences) => mesh.strong_count() == 0 || influences.is_gone(),
            Self::Strongest(influences) => influences.is_gone(),
        }
    }
}

thread_local! {
    static KNOWN: RefCell<Vec<(GroupsOf, Arc<VertexGroups>)>> = const { RefCell::new(Vec::new()) };
}

/// All influences of a mesh as stored.
pub(super) fn of_mesh(mesh: &Arc<Mesh>) -> Arc<VertexGroups> {
    let of = GroupsOf::Stored(Arc::downgrade(mesh));
    remembered(of, || mesh.groups(Method::Linear))
}

/// All influences at work, as `make` finds them. The same for the same mesh and
/// influences.
pub(super) fn of_edited(
    mesh: &Arc<Mesh>,
    influences: &SharedInfluences,
    make: impl FnOnce() -> VertexGroups,
) -> Arc<VertexGroups> {
    let of = GroupsOf::Edited(Arc::downgrade(mesh), influences.name());
    remembered(of, make)
}

/// The strongest influence of each vertex.
pub(super) fn of_strongest(influences: &SharedInfluences) -> Arc<VertexGroups> {
    let of = GroupsOf::Strongest(influences.name());
    remembered(of, || VertexGroups::strongest(influences))
}

fn remembered(of: GroupsOf, make: impl FnOnce() -> VertexGroups) -> Arc<VertexGroups> {
    let known = KNOWN.with_borrow(|known| {
        let mut found = known.iter().filter(|(other, _)| other.is(&of));
        found.next().map(|(_, groups)| Arc::clone(groups))
    });
    known.unwrap_or_else(|| {
        let groups = Arc::new(make());
        KNOWN.with_borrow_mut(|known| {
            known.retain(|(other, _)| !other.is_gone());
            known.truncate(KEPT - 1);
            known.insert(0, (of, Arc::clone(&groups)));
        });
        groups
    })
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;
    use crate::{Derived, Document};

    #[test]
    fn groups_are_made_again_when_weights_are_others_and_not_when_joints_move() {
        let rig = builtin("whale").unwrap();
        let mut document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let first = of_strongest(&influences);
        assert!(Arc::ptr_eq(&first, &of_strongest(&influences.clone())));
        assert!(Arc::ptr_eq(&of_mesh(&rig.mesh), &of_mesh(&rig.mesh)));

        let weights = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        document.state.weights.insert(2, weights.into());
        let edited = Derived::edited_influences(&document, &rig);
        assert!(!Arc::ptr_eq(&first, &of_strongest(&edited)));
        for _ in 0..3 * KEPT {
            of_strongest(&Derived::edited_influences(&document, &rig));
        }
        KNOWN.with_borrow(|known| assert!(known.len() <= KEPT));
    }
}
