//! Pictures of lessons, on their way to pixels.

use std::sync::Arc;

use bindpose_asset::EncodedPicture;
use bindpose_lesson::PictureContent;

/// The picture as what decodes it takes it.
pub fn encoded_picture(content: &PictureContent) -> EncodedPicture {
    EncodedPicture {
        bytes: Arc::clone(&content.bytes),
        media_type: content.format.media_type(),
        size: content.size,
    }
}
