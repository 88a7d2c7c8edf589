//! Decoding of a model's images by the browser, in the background.

use std::sync::Arc;

use eframe::egui::Context;

use bindpose_gltf::between_frames::pause;
use bindpose_gltf::browser_pixels::decoded;
use bindpose_gltf::{MaterialImage, Rig};

/// Maximum width and height of an image. Larger ones are scaled down, because the page waits
/// for the upload to the GPU.
const MAX_IMAGE_SIDE_PX: u32 = 1536;

/// Decodes the images of a model. The model is drawn in plain colours until then.
pub(super) fn decode_images(ctx: Context, rig: &Arc<Rig>) {
    let rig = Arc::clone(rig);
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    wasm_bindgen_futures::spawn_local(async move {
        for image in &rig.mesh.images {
            let Some(encoded) = image.encoded() else { continue };
            image.decoded_elsewhere(decoded(encoded, scaled_size).await.ok());
            ctx.request_repaint();
            // The upload to the GPU takes a frame.
            pause().await;
        }
    });
}

/// Returns the size to which an image is scaled down.
fn scaled_size(size_px: [u32; 2]) -> [u32; 2] {
    let [width, height] = size_px.map(|side| side.max(1));
    let scale = (f64::from(MAX_IMAGE_SIDE_PX) / f64::from(width.max(height))).min(1.0);
    [width, height].map(|side| ((f64::from(side) * scale).round() as u32).max(1))
}
