//! Decodes pictures without a browser. An SVG is drawn without external files and embedded
//! images, and with the bundled fonts only.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use bindpose_shipped as shipped;
use image::imageops::{FilterType, resize};
use image::{ImageFormat, ImageReader, Limits, Rgba32FImage, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::encoded::{EncodedPicture, SVG};
use crate::Image;

/// Memory that decoding may take: four channels of 16 bits of the largest picture, before and
/// after conversion.
const MAX_DECODER_BYTES: u64 = 512 << 20;

pub(super) fn decode_picture(picture: &EncodedPicture, size_px: [u32; 2]) -> Result<Image, String> {
    if picture.media_type == SVG {
        return draw_svg(&picture.bytes, size_px);
    }
    let format = ImageFormat::from_mime_type(picture.media_type)
        .ok_or_else(|| format!("{} is no picture", picture.media_type))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(&*picture.bytes), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| error.to_string())?;
    let pixels = shrink_to(decoded.into_rgba8(), size_px);
    Ok(Image { width: pixels.width(), height: pixels.height(), rgba: pixels.into_raw() })
}

/// Scales an image down to the given size. A smaller image is returned unchanged.
fn shrink_to(image: RgbaImage, [width, height]: [u32; 2]) -> RgbaImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    if image.pixels().all(|pixel| pixel[3] == u8::MAX) {
        return resize(&image, width, height, FilterType::Triangle);
    }
    // Premultiply, so that transparent pixels do not contribute their colour.
    let mut premultiplied = Rgba32FImage::new(image.width(), image.height());
    for (target, source) in premultiplied.pixels_mut().zip(image.pixels()) {
        let [r, g, b, a] = source.0.map(|channel| f32::from(channel) / 255.0);
        target.0 = [r * a, g * a, b * a, a];
    }
    let resized = resize(&premultiplied, width, height, FilterType::Triangle);
    let mut straight = RgbaImage::new(width, height);
    for (target, source) in straight.pixels_mut().zip(resized.pixels()) {
        let [r, g, b, a] = source.0;
        let divisor = a.max(f32::EPSILON);
        target.0 = [r / divisor, g / divisor, b / divisor, a]
            .map(|channel| (channel * 255.0).round() as u8);
    }
    straight
}

/// Maximum number of pixels of a pattern, relative to those of the picture.
const MAX_RELATIVE_PATTERN_PIXELS: f32 = 4.0;

/// Fonts for the text of an SVG.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for path in [
        "fonts/Inter-Regular.ttf",
        "fonts/Inter-SemiBold.ttf",
        "fonts/Inter-Italic.ttf",
        "fonts/Inter-SemiBoldItalic.ttf",
        "fonts/JetBrainsMonoNL-Regular.ttf",
        "fonts/JetBrainsMonoNL-Bold.ttf",
        "fonts/Inter-Supplement.ttf",
        "fonts/JetBrainsMonoNL-Supplement.ttf",
        "fonts/KaTeX_Main-Regular.ttf",
    ] {
        if let Some(bytes) = shipped::if_here(path) {
            fonts.load_font_source(Source::Binary(Arc::new(bytes)));
        }
    }
    fonts.set_sans_serif_family("Inter");
    // Also the fallback for fonts that are not bundled.
    fonts.set_serif_family("Inter");
    fonts.set_monospace_family("JetBrains Mono NL");
    Arc::new(fonts)
});

fn draw_svg(bytes: &[u8], [width, height]: [u32; 2]) -> Result<Image, String> {
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        font_family: "sans-serif".to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let tree = Tree::from_data(bytes, &options).map_err(|error| error.to_string())?;
    let scale_x = width as f32 / tree.size().width();
    let scale_y = height as f32 / tree.size().height();
    for pattern in tree.patterns() {
        let rect = pattern.rect();
        let area = rect.width() * rect.height() * determinant(pattern.transform()).abs();
        let pixels = area * scale_x * scale_y;
        let max_pixels = MAX_RELATIVE_PATTERN_PIXELS * (width * height) as f32;
        if pixels.is_nan() || pixels > max_pixels {
            return Err(format!("its pattern `{}` is far larger than it", pattern.id()));
        }
    }
    let mut pixels = Pixmap::new(width, height).ok_or("it has no size")?;
    let transform = Transform::from_scale(scale_x, scale_y);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    Ok(Image { width, height, rgba: pixels.take_demultiplied() })
}

fn determinant(transform: Transform) -> f32 {
    transform.sx * transform.sy - transform.kx * transform.ky
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    fn png(image: &RgbaImage) -> EncodedPicture {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        EncodedPicture {
            bytes: bytes.into_inner().into(),
            media_type: "image/png",
            size: [image.width() as f32, image.height() as f32],
        }
    }

    #[test]
    fn transparent_pixels_do_not_contribute_their_colour() {
        let mut image = RgbaImage::from_pixel(40, 20, Rgba([255, 0, 0, 255]));
        for x in 0..20 {
            for y in 0..20 {
                image.put_pixel(x, y, Rgba([0, 255, 0, 0]));
            }
        }
        let picture = png(&image);
        let small = decode_picture(&picture, [10, 5]).unwrap();
        assert_eq!((small.width, small.height), (10, 5));
        for pixel in small.rgba.as_chunks::<4>().0 {
            let [r, g, _, a] = *pixel;
            assert!(a == 0 || (r == 255 && g == 0), "{pixel:?}");
        }
        assert_eq!(decode_picture(&picture, [99, 99]).unwrap().width, 40);
    }

    #[test]
    fn a_damaged_picture_is_an_error() {
        let picture =
            png(&RgbaImage::from_fn(90, 60, |x, y| Rgba([(x * y) as u8, (x ^ y) as u8, 7, 255])));
        let half: Arc<[u8]> = picture.bytes[..picture.bytes.len() / 2].into();
        let cut = EncodedPicture { bytes: half, ..picture };
        assert!(decode_picture(&cut, [90, 60]).is_err());
    }

    fn draw_elements(elements: &str, size_px: [u32; 2]) -> Result<Image, String> {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             viewBox='0 0 40 30'>{elements}</svg>"
        );
        draw_svg(text.as_bytes(), size_px)
    }

    fn count_opaque(image: &Image) -> usize {
        let pixels = image.rgba.as_chunks::<4>().0;
        pixels.iter().filter(|pixel| pixel[3] > 128).count()
    }

    #[test]
    fn an_svg_is_drawn_at_the_requested_resolution() {
        let half = "<rect width='20' height='30' fill='#123456'/>";
        for size in [[40, 30], [400, 300]] {
            let image = draw_elements(half, size).unwrap();
            assert_eq!([image.width, image.height], size);
            assert_eq!(image.rgba[..4], [0x12, 0x34, 0x56, 255]);
            assert_eq!(count_opaque(&image), (size[0] * size[1] / 2) as usize);
        }
    }

    #[test]
    fn text_is_drawn_in_any_font_family() {
        for family in ["", "font-family='Arial'", "font-family='monospace'"] {
            let text = format!("<text y='20' font-size='16' {family}>joint</text>");
            let image = draw_elements(&text, [400, 300]).unwrap();
            assert!(count_opaque(&image) > 500, "{family}: {}", count_opaque(&image));
        }
    }

    #[test]
    fn external_and_embedded_images_are_not_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret.png");
        image::RgbaImage::from_pixel(9, 9, image::Rgba([255; 4])).save(&file).unwrap();
        let url = format!("file://{}", file.display());
        let svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' \
                   height='9'><rect width='9' height='9'/></svg>";
        for address in [&file.display().to_string(), &url, svg] {
            let address = address.replace('<', "&lt;").replace('\'', "&apos;");
            for name in ["href", "xlink:href"] {
                let image = format!("<image {name}='{address}' width='40' height='30'/>");
                let image = draw_elements(&image, [40, 30]).unwrap();
                assert_eq!(count_opaque(&image), 0, "{name} {address}");
            }
        }
    }

    #[test]
    fn invalid_drawings_and_huge_patterns_are_errors() {
        assert!(draw_svg(b"<svg", [4, 3]).is_err());
        assert!(draw_svg(b"<svg xmlns='http://www.w3.org/2000/svg' width='0'/>", [4, 3]).is_err());
        let pattern = "<pattern id='p' patternUnits='userSpaceOnUse' width='9000' height='9000'>\
                       <rect width='1' height='1'/></pattern>\
                       <rect width='40' height='30' fill='url(#p)'/>";
        let error = draw_elements(pattern, [400, 300]).unwrap_err();
        assert!(error.contains("`p`"), "{error}");
        let small = pattern.replace("9000", "4");
        assert!(count_opaque(&draw_elements(&small, [400, 300]).unwrap()) > 0);
    }

    #[test]
    fn groups_of_the_maximum_depth_are_drawn() {
        let depth = 46;
        let elements = "<g opacity='0.999'>".repeat(depth)
            + "<rect width='40' height='30'/>"
            + &"</g>".repeat(depth);
        assert!(count_opaque(&draw_elements(&elements, [40, 30]).unwrap()) > 0);
    }
}
