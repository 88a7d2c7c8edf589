//! What keeps a rig from being written, beside what the writers say themselves.

use crate::diagnostic::Diagnostic;
use crate::skin::SkeletonError;

impl From<SkeletonError> for Diagnostic {
    fn from(error: SkeletonError) -> Self {
        Self::said("SKELETON_UNSOUND", format!("the rig is not sound: {error}"))
    }
}

impl From<serde_json::Error> for Diagnostic {
    fn from(error: serde_json::Error) -> Self {
        Self::said("JSON_NOT_WRITTEN", format!("cannot write the JSON: {error}"))
    }
}
