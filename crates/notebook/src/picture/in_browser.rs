//! Decodes pictures by the browser.

use bindpose_gltf::Image;
use bindpose_gltf::browser_pixels::decoded;

use super::encoded::EncodedPicture;

pub(super) async fn decode_picture(
    picture: &EncodedPicture,
    size_px: [u32; 2],
) -> Result<Image, String> {
    let result = decoded((&picture.bytes, picture.media_type), |_| size_px).await;
    result.map_err(|_| "the browser cannot decode it".to_owned())
}
