//! Images of models, decoded by the browser beside the page.

use std::sync::Arc;

use eframe::egui::Context;

use bindpose_asset::between_frames::pause;
use bindpose_asset::browser_pixels::decoded;
use bindpose_asset::{MaterialImage, Rig};

/// Pixels along a side of an image that is shown: a larger one is made smaller,
/// since the page waits while it goes to the graphics card.
const MOST_PIXELS: u32 = 1536;

/// Decodes the images of a model: it is shown at once, in plain colours, and
/// painted when they are there.
pub(super) fn decode(ctx: Context, rig: &Arc<Rig>) {
    let rig = Arc::clone(rig);
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    wasm_bindgen_futures::spawn_local(async move {
        for image in &rig.mesh.images {
            match image.encoded().map(|encoded| decoded(encoded, shown)) {
                Some(decoding) => image.decoded_elsewhere(decoding.await.ok()),
                None => continue,
            }
            ctx.request_repaint();
            // Its way to the graphics card takes a frame.
            pause().await;
        }
    });
}

/// The size that is shown of an image of this size.
fn shown(size_px: [u32; 2]) -> [u32; 2] {
    let [width, height] = size_px.map(|side| side.max(1));
    let scale = (f64::from(MOST_PIXELS) / f64::from(width.max(height))).min(1.0);
    [width, height].map(|side| ((f64::from(side) * scale).round() as u32).max(1))
}
