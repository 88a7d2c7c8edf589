//! Decodes pictures by the browser.

use super::encoded::EncodedPicture;
use crate::Image;
use crate::browser_pixels::decoded;

pub(super) async fn decode_picture(
    picture: &EncodedPicture,
    size_px: [u32; 2],
) -> Result<Image, String> {
    let result = decoded((&picture.bytes, picture.media_type), |_| size_px).await;
    result.map_err(|_| "the browser cannot decode it".to_owned())
}
