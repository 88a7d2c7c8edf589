//! What keeps a rig from being written.

use super::ezm::EzmWriteError;

/// Why a rig could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The base colour image.
    #[error("cannot write the image as PNG: {0}")]
    Png(#[from] image::ImageError),
    /// The JSON part.
    #[error("cannot write the JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A rig that was to be written is not sound.
    #[error("the rig is not sound: {0}")]
    Skeleton(#[from] crate::skin::SkeletonError),
    /// A rig that EZMesh cannot hold.
    #[error(transparent)]
    Ezm(#[from] EzmWriteError),
}
