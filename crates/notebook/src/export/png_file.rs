//! Small PNG files: of so many pictures as a handout has, each with a palette.

use std::collections::HashMap;

use color_quant::NeuQuant;
use image::RgbaImage;

/// Colours of a palette.
const COLORS: usize = 256;
/// Learns from every so-manyth pixel; 1 is best and slowest.
const SAMPLE_STEP: i32 = 10;

/// An opaque picture as PNG, in at most 256 colours: as it is where it has no
/// more, else in those that suit it best.
///
/// Errors: in the encoder's words.
pub fn small_png(image: &RgbaImage) -> Result<Vec<u8>, png::EncodingError> {
    let (palette, indices) = exact(image).unwrap_or_else(|| nearest(image));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width(), image.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(bytes)
}

fn rgb(image: &RgbaImage) -> impl Iterator<Item = [u8; 3]> {
    image.pixels().map(|pixel| [pixel[0], pixel[1], pixel[2]])
}

/// The palette and the index of each pixel; `None` when there are too many
/// colours.
fn exact(image: &RgbaImage) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(image.as_raw().len() / 4);
    for color in rgb(image) {
        let next = known.len();
        let index = match known.get(&color) {
            Some(&index) => index,
            None if next == COLORS => return None,
            None => {
                known.insert(color, next as u8);
                palette.extend(color);
                next as u8
            }
        };
        indices.push(index);
    }
    Some((palette, indices))
}

fn nearest(image: &RgbaImage) -> (Vec<u8>, Vec<u8>) {
    let colors = NeuQuant::new(SAMPLE_STEP, COLORS, image.as_raw());
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let indices = rgb(image).map(|color| {
        let [r, g, b] = color;
        *known.entry(color).or_insert_with(|| colors.index_of(&[r, g, b, 255]) as u8)
    });
    let indices = indices.collect();
    (colors.color_map_rgb(), indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> RgbaImage {
        image::load_from_memory(bytes).expect("a PNG").to_rgba8()
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let image =
            RgbaImage::from_fn(40, 30, |x, y| image::Rgba([x as u8, (y / 8) as u8, 7, 255]));
        assert_eq!(read(&small_png(&image).expect("written")), image);
    }

    #[test]
    fn many_colours_are_each_near_their_own() {
        let image =
            RgbaImage::from_fn(256, 64, |x, y| image::Rgba([x as u8, (4 * y) as u8, 128, 255]));
        let shown = read(&small_png(&image).expect("written"));
        let off = |a: u8, b: u8| u32::from(a.abs_diff(b));
        let pairs = image.pixels().zip(shown.pixels());
        let sum: u32 = pairs.map(|(a, b)| off(a[0], b[0]) + off(a[1], b[1])).sum();
        assert!(sum / (256 * 64) < 16, "{}", sum / (256 * 64));
    }
}
