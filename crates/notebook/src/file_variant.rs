//! The rig of another file of the same model.

use std::sync::Arc;

use bindpose_asset::{Rig, RigOrigin, builtin};
use bindpose_lesson::FileVariant;

/// A model that has a file of every kind: the name of the rig that is read from
/// each.
const STRIP: [(FileVariant, &str); 4] = [
    (FileVariant::Usual, "simple_skin_file"),
    (FileVariant::ByteWeights, "simple_skin_bytes"),
    (FileVariant::Sparse, "simple_skin_sparse"),
    (FileVariant::Glb, "simple_skin_glb"),
];

/// `rig` as it is in that file; `None` when it has no such file.
pub fn rig_in_file(rig: &Arc<Rig>, file: FileVariant) -> Option<Arc<Rig>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => Some(Arc::clone(rig)),
        id => builtin(id),
    }
}

/// Where the rig's numbers come from in that file; `None` when it has no such
/// file, or was made in memory.
pub(super) fn origin_in_file(rig: &Rig, file: FileVariant) -> Option<Arc<RigOrigin>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => rig.origin.clone(),
        id => builtin(id)?.origin.clone(),
    }
}

fn id_in_file(id: &str, file: FileVariant) -> Option<&str> {
    if !STRIP.iter().any(|(_, known)| *known == id) {
        return (file == FileVariant::Usual).then_some(id);
    }
    let of_kind = STRIP.iter().find(|(kind, _)| *kind == file);
    of_kind.map(|(_, id)| *id)
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::Reading;

    use super::*;
    use crate::{Derived, Document};

    fn derived(file: FileVariant, reading: Reading) -> Derived {
        let rig = builtin("simple_skin_file").unwrap();
        let mut document = Document::default();
        document.state.file = file;
        document.state.reading = reading;
        document.state.params.insert("bend".to_owned(), 0.5);
        let influences = Derived::edited_influences(&document, &rig);
        Derived::new(&document, None, &rig, influences)
    }

    #[test]
    fn every_file_is_opened_and_another_model_has_only_its_own() {
        for file in FileVariant::ALL {
            let derived = derived(file, Reading::AsStored);
            assert!(derived.unreadable.is_none(), "{file:?}");
            let id = id_in_file("simple_skin_file", file).unwrap();
            assert_eq!(derived.rig.id, id);
        }
        let whale = builtin("whale").unwrap();
        assert!(rig_in_file(&whale, FileVariant::Usual).is_some());
        assert!(rig_in_file(&whale, FileVariant::Glb).is_none());
    }

    #[test]
    fn without_normalized_a_vertex_goes_to_255_times_its_place() {
        let right = derived(FileVariant::ByteWeights, Reading::AsStored);
        let wrong = derived(FileVariant::ByteWeights, Reading::NormalizedIgnored);
        for vertex in 0..10 {
            let place = right.position(vertex).unwrap();
            let far = wrong.position(vertex).unwrap();
            assert!(far.abs_diff_eq(255.0 * place, 1e-3), "v{vertex}: {far}");
        }
        let floats = derived(FileVariant::Usual, Reading::NormalizedIgnored);
        let usual = derived(FileVariant::Usual, Reading::AsStored);
        assert_eq!(floats.position(6), usual.position(6), "floats stay floats");
    }
}
