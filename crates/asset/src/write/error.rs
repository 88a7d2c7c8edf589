//! What keeps a rig from being written, beside what the writers say themselves.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::SkeletonError;

/// For `map_err`: the joints are no skeleton.
pub(crate) fn skeleton_unsound(error: &SkeletonError) -> Diagnostic {
    Diagnostic::said("SKELETON_UNSOUND", format!("the rig is not sound: {error}"))
}
