//! Pixels that the browser makes of images.

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, ColorSpaceConversion, HtmlCanvasElement,
    ImageBitmap, ImageBitmapOptions, PremultiplyAlpha,
};

use super::Image;
use super::between_frames::pause;

/// Rows that are taken over in one piece, in pixels of all of them.
const PIECE: u32 = 1 << 19;

/// The pixels of a PNG or JPEG file, in the size that `shown` makes of its own.
///
/// Errors: what the browser says.
pub async fn decoded(
    (bytes, mime_type): (&[u8], &str),
    shown: impl Fn([u32; 2]) -> [u32; 2],
) -> Result<Image, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type(mime_type);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let bitmap = bitmap(&blob, comes_as_stored(bytes, mime_type)).await?;
    let image = taken_over(&bitmap, shown([bitmap.width(), bitmap.height()])).await;
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
async fn taken_over(bitmap: &ImageBitmap, [width, height]: [u32; 2]) -> Result<Image, JsValue> {
    let shrink = f64::from(bitmap.height()) / f64::from(height);
    // No higher than the image: a canvas that is too high stays black.
    let rows = (PIECE / width).clamp(1, height);
    let strip = canvas(width, rows)?;
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
    Ok(Image { width, height, rgba })
}

/// A canvas for some rows, kept where it can be read.
pub(super) fn canvas(width: u32, rows: u32) -> Result<CanvasRenderingContext2d, JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(rows);
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"willReadFrequently".into(), &JsValue::TRUE)?;
    let context = canvas.get_context_with_context_options("2d", &options)?;
    Ok(context.ok_or(JsValue::NULL)?.dyn_into()?)
}
