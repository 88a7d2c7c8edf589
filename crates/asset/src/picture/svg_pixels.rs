//! Pixels of an SVG, by resvg: without the files, addresses and pictures that it may
//! name, and with our own faces for its words.

use std::sync::{Arc, LazyLock};

use bindpose_shipped as shipped;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::Image;

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

pub(super) fn svg_pixels(bytes: &[u8], [width, height]: [u32; 2]) -> Result<Image, String> {
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
    use super::*;

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
