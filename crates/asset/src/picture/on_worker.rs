//! Pixels of a picture without a browser. An SVG is drawn without the files, addresses
//! and pictures that it may name, and with our own faces for its words.

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

/// Bytes that decoding may take: four channels of 16 bits of the largest picture,
/// before and after conversion.
const MOST_BYTES: u64 = 512 << 20;

pub(super) fn pixels(picture: &EncodedPicture, size_px: [u32; 2]) -> Result<Image, String> {
    if picture.media_type == SVG {
        return svg_pixels(&picture.bytes, size_px);
    }
    let format = ImageFormat::from_mime_type(picture.media_type);
    let format = format.ok_or_else(|| format!("{} is no picture", picture.media_type))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(&*picture.bytes), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| error.to_string())?;
    let pixels = smaller(decoded.into_rgba8(), size_px);
    Ok(Image { width: pixels.width(), height: pixels.height(), rgba: pixels.into_raw() })
}

/// In no more pixels than wanted.
fn smaller(image: RgbaImage, [width, height]: [u32; 2]) -> RgbaImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    if image.pixels().all(|pixel| pixel[3] == u8::MAX) {
        return resize(&image, width, height, FilterType::Triangle);
    }
    // The colour of what is clear must not get into its neighbours.
    let mut weighted = Rgba32FImage::new(image.width(), image.height());
    for (to, from) in weighted.pixels_mut().zip(image.pixels()) {
        let [r, g, b, a] = from.0.map(|channel| f32::from(channel) / 255.0);
        to.0 = [r * a, g * a, b * a, a];
    }
    let weighted = resize(&weighted, width, height, FilterType::Triangle);
    let mut small = RgbaImage::new(width, height);
    for (to, from) in small.pixels_mut().zip(weighted.pixels()) {
        let [r, g, b, a] = from.0;
        let over = a.max(f32::EPSILON);
        to.0 = [r / over, g / over, b / over, a].map(|channel| (channel * 255.0).round() as u8);
    }
    small
}

// Pixels of an SVG, by resvg.

/// A pattern may be drawn in so many times the pixels of the picture.
const MOST_OF_PATTERN: f32 = 4.0;

/// By the names that an SVG may give them.
static FACES: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut faces = Database::new();
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
            faces.load_font_source(Source::Binary(Arc::new(bytes)));
        }
    }
    faces.set_sans_serif_family("Inter");
    // Also what a face that is not here is taken for.
    faces.set_serif_family("Inter");
    faces.set_monospace_family("JetBrains Mono NL");
    Arc::new(faces)
});

fn svg_pixels(bytes: &[u8], [width, height]: [u32; 2]) -> Result<Image, String> {
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        font_family: "sans-serif".to_owned(),
        fontdb: Arc::clone(&FACES),
        ..Options::default()
    };
    let tree = Tree::from_data(bytes, &options).map_err(|error| error.to_string())?;
    let scale = [width as f32 / tree.size().width(), height as f32 / tree.size().height()];
    for pattern in tree.patterns() {
        let (rect, transform) = (pattern.rect(), pattern.transform());
        let area = rect.width() * rect.height() * determinant(transform).abs();
        let pixels = area * scale[0] * scale[1];
        if pixels.is_nan() || pixels > MOST_OF_PATTERN * (width * height) as f32 {
            return Err(format!("its pattern `{}` is far larger than it", pattern.id()));
        }
    }
    let mut pixels = Pixmap::new(width, height).ok_or("it has no size")?;
    let transform = Transform::from_scale(scale[0], scale[1]);
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
    fn what_is_clear_lends_no_colour_to_its_neighbours() {
        let mut image = RgbaImage::from_pixel(40, 20, Rgba([255, 0, 0, 255]));
        for x in 0..20 {
            for y in 0..20 {
                image.put_pixel(x, y, Rgba([0, 255, 0, 0]));
            }
        }
        let picture = png(&image);
        let small = pixels(&picture, [10, 5]).unwrap();
        assert_eq!((small.width, small.height), (10, 5));
        for pixel in small.rgba.as_chunks::<4>().0 {
            let [r, g, _, a] = *pixel;
            assert!(a == 0 || (r == 255 && g == 0), "{pixel:?}");
        }
        assert_eq!(pixels(&picture, [99, 99]).unwrap().width, 40);
    }

    #[test]
    fn a_damaged_picture_says_so() {
        let picture =
            png(&RgbaImage::from_fn(90, 60, |x, y| Rgba([(x * y) as u8, (x ^ y) as u8, 7, 255])));
        let half: Arc<[u8]> = picture.bytes[..picture.bytes.len() / 2].into();
        let cut = EncodedPicture { bytes: half, ..picture };
        assert!(pixels(&cut, [90, 60]).is_err());
    }

    fn drawn(inside: &str, size_px: [u32; 2]) -> Result<Image, String> {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             viewBox='0 0 40 30'>{inside}</svg>"
        );
        svg_pixels(text.as_bytes(), size_px)
    }

    fn marks(image: &Image) -> usize {
        let pixels = image.rgba.as_chunks::<4>().0;
        pixels.iter().filter(|pixel| pixel[3] > 128).count()
    }

    #[test]
    fn a_drawing_is_as_sharp_as_it_is_large() {
        let half = "<rect width='20' height='30' fill='#123456'/>";
        for size in [[40, 30], [400, 300]] {
            let image = drawn(half, size).unwrap();
            assert_eq!([image.width, image.height], size);
            assert_eq!(image.rgba[..4], [0x12, 0x34, 0x56, 255]);
            assert_eq!(marks(&image), (size[0] * size[1] / 2) as usize);
        }
    }

    #[test]
    fn words_are_set_whatever_face_they_ask_for() {
        for face in ["", "font-family='Arial'", "font-family='monospace'"] {
            let words = format!("<text y='20' font-size='16' {face}>joint</text>");
            let image = drawn(&words, [400, 300]).unwrap();
            assert!(marks(&image) > 500, "{face}: {}", marks(&image));
        }
    }

    #[test]
    fn nothing_is_read_that_a_drawing_names() {
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
                let image = drawn(&image, [40, 30]).unwrap();
                assert_eq!(marks(&image), 0, "{name} {address}");
            }
        }
    }

    #[test]
    fn what_is_no_drawing_or_asks_for_too_much_is_told() {
        assert!(svg_pixels(b"<svg", [4, 3]).is_err());
        assert!(
            svg_pixels(b"<svg xmlns='http://www.w3.org/2000/svg' width='0'/>", [4, 3]).is_err()
        );
        let pattern = "<pattern id='p' patternUnits='userSpaceOnUse' width='9000' height='9000'>\
                       <rect width='1' height='1'/></pattern>\
                       <rect width='40' height='30' fill='url(#p)'/>";
        let wrong = drawn(pattern, [400, 300]).unwrap_err();
        assert!(wrong.contains("`p`"), "{wrong}");
        let small = pattern.replace("9000", "4");
        assert!(marks(&drawn(&small, [400, 300]).unwrap()) > 0);
    }

    #[test]
    fn groups_as_deep_as_are_let_through_are_drawn() {
        let deep = 46;
        let inside = "<g opacity='0.999'>".repeat(deep)
            + "<rect width='40' height='30'/>"
            + &"</g>".repeat(deep);
        assert!(marks(&drawn(&inside, [40, 30]).unwrap()) > 0);
    }
}
