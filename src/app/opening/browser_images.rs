//! Images of models, decoded by the browser beside the page.

use std::sync::Arc;

use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, ColorSpaceConversion, HtmlCanvasElement,
    ImageBitmap, ImageBitmapOptions, PremultiplyAlpha,
};

use crate::app::web_document::document;
use crate::asset::between_frames::pause;
use crate::asset::{Image, MaterialImage, Rig};

/// Pixels along a side of an image that is shown: a larger one is made smaller,
/// since the page waits while it goes to the graphics card.
const MOST_PIXELS: u32 = 1536;

/// Rows that are taken over in one piece, in pixels of all of them.
const PIECE: u32 = 1 << 19;

/// Decodes the images of a model: it is shown at once, in plain colours, and
/// painted when they are there.
pub(super) fn decode(ctx: Context, rig: &Arc<Rig>) {
    let rig = Arc::clone(rig);
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    wasm_bindgen_futures::spawn_local(async move {
        for image in &rig.mesh.images {
            match image.encoded().map(decoded) {
                Some(decoding) => image.decoded_elsewhere(decoding.await.ok()),
                None => continue,
            }
            ctx.request_repaint();
            // Its way to the graphics card takes a frame.
            pause().await;
        }
    });
}

/// The pixels of a PNG or JPEG file.
async fn decoded((bytes, mime_type): (&[u8], &str)) -> Result<Image, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type(mime_type);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let bitmap = bitmap(&blob, comes_as_stored(bytes, mime_type)).await?;
    let image = taken_over(&bitmap).await;
    bitmap.close();
    image
}

async fn bitmap(blob: &Blob, as_stored: bool) -> Result<ImageBitmap, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let options = ImageBitmapOptions::new();
    if !as_stored {
        // What is taught is numbers. All pixels are gone through for it, in one piece.
        options.set_color_space_conversion(ColorSpaceConversion::None);
        options.set_premultiply_alpha(PremultiplyAlpha::None);
    }
    let made = window.create_image_bitmap_with_blob_and_image_bitmap_options(blob, &options)?;
    JsFuture::from(made).await?.dyn_into()
}

/// Does a browser leave the pixels as they are stored, without being told to? A JPEG
/// file has no alpha, and one without a profile no colours that are converted.
fn comes_as_stored(bytes: &[u8], mime_type: &str) -> bool {
    // Segments of a mark, a length that counts itself, and what they hold: ISO/IEC
    // 10918-1, B.1.1.4. The profile comes before the scan.
    const SCAN: u8 = 0xDA;
    const APP2: u8 = 0xE2;
    if mime_type != "image/jpeg" {
        return false;
    }
    let mut at = 2;
    while let Some(&[0xFF, mark, high, low]) = bytes.get(at..at + 4) {
        let held = &bytes[at + 4..];
        match mark {
            SCAN => return true,
            APP2 if held.starts_with(b"ICC_PROFILE") => return false,
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
    false
}

/// Its pixels, some rows at a time, made smaller on the way if they are too many: by
/// itself, the browser would do that in one piece.
async fn taken_over(bitmap: &ImageBitmap) -> Result<Image, JsValue> {
    let [width, height] = shown([bitmap.width(), bitmap.height()]);
    let shrink = f64::from(bitmap.height()) / f64::from(height);
    // No higher than the image: a canvas that is too high stays black.
    let rows = (PIECE / width).clamp(1, height);
    let strip = strip(width, rows)?;
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for top in (0..height).step_by(rows as usize) {
        let rows = rows.min(height - top);
        let (wide, high) = (f64::from(width), f64::from(rows));
        strip.clear_rect(0.0, 0.0, wide, high);
        strip.draw_image_with_image_bitmap_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
            bitmap,
            0.0,
            f64::from(top) * shrink,
            f64::from(bitmap.width()),
            high * shrink,
            0.0,
            0.0,
            wide,
            high,
        )?;
        let pixels = strip.get_image_data(0.0, 0.0, wide, high)?;
        rgba.extend_from_slice(&pixels.data());
        pause().await;
    }
    Ok(Image {
        width,
        height,
        rgba,
    })
}

/// The size that is shown of an image of this size.
fn shown(size_px: [u32; 2]) -> [u32; 2] {
    let [width, height] = size_px.map(|side| side.max(1));
    let scale = (f64::from(MOST_PIXELS) / f64::from(width.max(height))).min(1.0);
    [width, height].map(|side| ((f64::from(side) * scale).round() as u32).max(1))
}

/// A canvas for some rows, kept where it can be read.
fn strip(width: u32, rows: u32) -> Result<CanvasRenderingContext2d, JsValue> {
    let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(rows);
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"willReadFrequently".into(), &JsValue::TRUE)?;
    let context = canvas.get_context_with_context_options("2d", &options)?;
    Ok(context.ok_or(JsValue::NULL)?.dyn_into()?)
}
