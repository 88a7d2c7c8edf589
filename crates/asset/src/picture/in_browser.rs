//! Decodes pictures by the browser, which runs no scripts and fetches nothing in an SVG that
//! is loaded as an image.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlImageElement;

use super::encoded::{EncodedPicture, SVG, svg_at_size};
use crate::Image;
use crate::browser_pixels::{create_canvas, decoded};

pub(super) async fn decode_picture(
    picture: &EncodedPicture,
    size_px: [u32; 2],
) -> Result<Image, String> {
    let result = if picture.media_type == SVG {
        let text = svg_at_size(&picture.bytes, picture.size, size_px)?;
        draw_svg(&text, size_px).await
    } else {
        decoded((&picture.bytes, picture.media_type), |_| size_px).await
    };
    result.map_err(|_| "the browser cannot decode it".to_owned())
}

/// Draws an SVG. It is embedded in a data URI, because a canvas with an image from elsewhere
/// cannot be read back.
async fn draw_svg(text: &str, [width, height]: [u32; 2]) -> Result<Image, JsValue> {
    let image = HtmlImageElement::new_with_width_and_height(width, height)?;
    let encoded = utf8_percent_encode(text, NON_ALPHANUMERIC);
    image.set_src(&format!("data:{SVG};charset=utf-8,{encoded}"));
    JsFuture::from(image.decode()).await?;
    let canvas = create_canvas(width, height)?;
    let canvas_width = f64::from(width);
    let canvas_height = f64::from(height);
    canvas.draw_image_with_html_image_element_and_dw_and_dh(
        &image,
        0.0,
        0.0,
        canvas_width,
        canvas_height,
    )?;
    let pixels = canvas.get_image_data(0.0, 0.0, canvas_width, canvas_height)?;
    Ok(Image { width, height, rgba: pixels.data().to_vec() })
}
