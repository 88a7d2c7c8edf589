//! Decodes images by the browser.

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, ColorSpaceConversion, HtmlCanvasElement,
    ImageBitmap, ImageBitmapOptions, PremultiplyAlpha,
};

use super::Image;
use super::between_frames::pause;

/// Pixels that are read back between two pauses.
const STRIP_PIXELS: u32 = 1 << 19;

/// Decodes a PNG or JPEG file of the given media type. `shown` maps the size of the image to
/// the size of the result.
///
/// # Errors
///
/// Returns the error of the browser, or null if it lacks a needed interface.
pub async fn decoded(
    (bytes, mime_type): (&[u8], &str),
    shown: impl Fn([u32; 2]) -> [u32; 2],
) -> Result<Image, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type(mime_type);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let bitmap = decode_bitmap(&blob, needs_no_conversion(bytes, mime_type)).await?;
    let image = read_pixels(&bitmap, shown([bitmap.width(), bitmap.height()])).await;
    bitmap.close();
    image
}

async fn decode_bitmap(blob: &Blob, needs_no_conversion: bool) -> Result<ImageBitmap, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let options = ImageBitmapOptions::new();
    if !needs_no_conversion {
        // Lessons show the stored numbers. Set only if necessary, because the browser then
        // processes all pixels without a pause.
        options.set_color_space_conversion(ColorSpaceConversion::None);
        options.set_premultiply_alpha(PremultiplyAlpha::None);
    }
    let made = window.create_image_bitmap_with_blob_and_image_bitmap_options(blob, &options)?;
    JsFuture::from(made).await?.dyn_into()
}

/// Returns whether a browser decodes the stored pixels unchanged by default. That is so for a
/// JPEG file, which has no alpha, if it has no colour profile.
fn needs_no_conversion(bytes: &[u8], mime_type: &str) -> bool {
    // Each segment has a marker, a length that includes itself, and content (ISO/IEC
    // 10918-1, B.1.1.4). The profile precedes the scan.
    const SCAN: u8 = 0xDA;
    const APP2: u8 = 0xE2;
    if mime_type != "image/jpeg" {
        return false;
    }
    let mut offset = 2;
    while let Some(&[0xFF, marker, high, low]) = bytes.get(offset..offset + 4) {
        let content = &bytes[offset + 4..];
        match marker {
            SCAN => return true,
            APP2 if content.starts_with(b"ICC_PROFILE") => return false,
            _ => offset += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
    false
}

/// Reads the pixels of a bitmap, scaled to the given size, in strips of some rows. In one
/// piece, the browser would scale them without a pause.
async fn read_pixels(bitmap: &ImageBitmap, [width, height]: [u32; 2]) -> Result<Image, JsValue> {
    let scale = f64::from(bitmap.height()) / f64::from(height);
    // No higher than the image: a canvas that is too high stays black.
    let strip_rows = (STRIP_PIXELS / width).clamp(1, height);
    let canvas = create_canvas(width, strip_rows)?;
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for top in (0..height).step_by(strip_rows as usize) {
        let strip_width = f64::from(width);
        let strip_height = f64::from(strip_rows.min(height - top));
        canvas.clear_rect(0.0, 0.0, strip_width, strip_height);
        canvas.draw_image_with_image_bitmap_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
            bitmap,
            0.0,
            f64::from(top) * scale,
            f64::from(bitmap.width()),
            strip_height * scale,
            0.0,
            0.0,
            strip_width,
            strip_height,
        )?;
        let pixels = canvas.get_image_data(0.0, 0.0, strip_width, strip_height)?;
        rgba.extend_from_slice(&pixels.data());
        pause().await;
    }
    Ok(Image { width, height, rgba })
}

/// Creates a canvas in main memory, from which pixels can be read quickly.
pub(super) fn create_canvas(width: u32, height: u32) -> Result<CanvasRenderingContext2d, JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"willReadFrequently".into(), &JsValue::TRUE)?;
    let context = canvas.get_context_with_context_options("2d", &options)?;
    Ok(context.ok_or(JsValue::NULL)?.dyn_into()?)
}
