//! Every fault the doctor knows, in words for whoever made the file.
//!
//! Names are those of the glTF validator's list of issues where it has one.

pub(super) mod animation;
pub(super) mod container;
pub(super) mod data;
pub(super) mod mesh;
pub(super) mod scene;
pub(super) mod structure;

/// In the order of `docs/doctor.md`.
pub(super) fn all() -> impl Iterator<Item = &'static super::fault::Fault> {
    [container::ALL, structure::ALL, data::ALL, scene::ALL, mesh::ALL, animation::ALL]
        .into_iter()
        .flatten()
}
