//! Pixels of a picture, made by the browser. In an SVG that is an image it runs no
//! script and fetches nothing.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlImageElement;

use super::encoded::{EncodedPicture, SVG, svg_at_size};
use crate::Image;
use crate::browser_pixels::{canvas, decoded};

pub(super) async fn pixels(picture: &EncodedPicture, size_px: [u32; 2]) -> Result<Image, String> {
    let told = |_: JsValue| "the browser cannot decode it".to_owned();
    if picture.media_type == SVG {
        let text = svg_at_size(&picture.bytes, picture.size, size_px)?;
        return svg_pixels(&text, size_px).await.map_err(told);
    }
    let file = (&*picture.bytes, picture.media_type);
    decoded(file, |_| size_px).await.map_err(told)
}

/// Its address holds it whole: what the page draws of it may be read back.
async fn svg_pixels(text: &str, [width, height]: [u32; 2]) -> Result<Image, JsValue> {
    let image = HtmlImageElement::new_with_width_and_height(width, height)?;
    let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
    image.set_src(&format!("data:{SVG};charset=utf-8,{text}"));
    JsFuture::from(image.decode()).await?;
    let canvas = canvas(width, height)?;
    let (wide, high) = (f64::from(width), f64::from(height));
    canvas.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, wide, high)?;
    let pixels = canvas.get_image_data(0.0, 0.0, wide, high)?;
    Ok(Image { width, height, rgba: pixels.data().to_vec() })
}
