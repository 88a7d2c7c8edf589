//! Animated GIFs and small PNGs.
//!
//! A GIF has one palette for all frames, so that colours of unchanged pixels do not change. Each
//! frame only contains the changed area.

use std::borrow::Cow;
use std::collections::HashMap;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use image::RgbaImage;

/// Number of colours. One more index marks unchanged pixels.
const PALETTE_COLORS: usize = 255;
const UNCHANGED_INDEX: u8 = 255;
/// Bits per channel in the table of nearest colours.
const CHANNEL_BITS: u32 = 6;
/// Approximate number of pixels that the palette is learned from.
const PALETTE_SAMPLES: usize = 60_000;
/// `NeuQuant` learns from every third sample. 1 is best and slowest.
const SAMPLE_STEP: i32 = 3;
/// Amplitude of the dither, in steps of 1/255: the distance of neighbours in the palette.
const DITHER_AMPLITUDE: i32 = 4;
/// Thresholds of an ordered dither (Bayer, 1973), 0 to 15. The pattern does not move, so that
/// smooth shades neither band nor flicker.
const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// An error while a GIF is written.
#[derive(Debug, thiserror::Error)]
pub enum GifError {
    /// A side of 0 or more than 65,535 pixels.
    #[error("a GIF is 1 to 65,535 pixels wide and high, not {0} × {1}")]
    Size(u32, u32),
    /// A frame with another size than the first.
    #[error("a frame is {0} × {1} pixels, unlike the first")]
    OtherSize(u32, u32),
    #[error("cannot write the GIF: {0}")]
    Encoding(#[from] gif::EncodingError),
    #[error("cannot write the GIF: {0}")]
    Io(#[from] std::io::Error),
}

/// The palette of a film, learned from some of its frames.
#[derive(Debug)]
pub struct GifPalette {
    /// RGB, with 3 bytes per colour.
    rgb: Vec<u8>,
    /// Cache of the nearest colour, indexed by red, green and blue with [`CHANNEL_BITS`] bits
    /// each. [`UNCHANGED_INDEX`] if it is not yet known.
    nearest: Vec<u8>,
}

impl GifPalette {
    /// Learns the palette from frames that together show all colours.
    pub fn from_frames(frames: &[RgbaImage]) -> Self {
        let all: usize = frames.iter().map(|frame| frame.as_raw().len() / 4).sum();
        // An odd step samples all columns, whatever the width.
        let step = (all / PALETTE_SAMPLES).max(1) | 1;
        let samples: Vec<u8> = frames
            .iter()
            .flat_map(|frame| frame.pixels())
            .step_by(step)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255])
            .collect();
        let mut rgb = NeuQuant::new(SAMPLE_STEP, PALETTE_COLORS, &samples).color_map_rgb();
        rgb.resize(3 * PALETTE_COLORS, 0);
        Self { rgb, nearest: vec![UNCHANGED_INDEX; 1 << (3 * CHANNEL_BITS)] }
    }

    /// Returns the index of the nearest colour, with a dither threshold.
    fn index(&mut self, pixel: [u8; 3], threshold: i32) -> u8 {
        let nudge = (2 * threshold - 15) * DITHER_AMPLITUDE / 15;
        let [r, g, b] = pixel.map(|x| (i32::from(x) + nudge).clamp(0, 255) as usize);
        let low = 8 - CHANNEL_BITS;
        let place = ((r >> low) << (2 * CHANNEL_BITS)) | ((g >> low) << CHANNEL_BITS) | (b >> low);
        if self.nearest[place] == UNCHANGED_INDEX {
            // The middle of the cell stands for all colours in it.
            let middle = [r, g, b].map(|x| ((x >> low) << low) as i32 + (1 << (low - 1)));
            self.nearest[place] = self.nearest_color(middle);
        }
        self.nearest[place]
    }

    fn nearest_color(&self, wanted: [i32; 3]) -> u8 {
        // The eye is most sensitive to green.
        const CHANNEL_WEIGHTS: [i32; 3] = [2, 4, 3];
        let nearest = self.rgb.chunks_exact(3).enumerate().min_by_key(|(_, color)| {
            let channels = color.iter().zip(wanted).zip(CHANNEL_WEIGHTS);
            channels
                .map(|((&is, wanted), weight)| weight * (i32::from(is) - wanted).pow(2))
                .sum::<i32>()
        });
        nearest.map_or(0, |(index, _)| index as u8)
    }
}

/// Writes the frames of a GIF that repeats forever.
pub struct GifWriter {
    encoder: Encoder<Vec<u8>>,
    palette: GifPalette,
    size: [u16; 2],
    /// Color indices of the previous frame. Empty before the first frame.
    before: Vec<u8>,
}

impl GifWriter {
    /// Creates a writer of frames with this size in pixels.
    ///
    /// # Errors
    ///
    /// Returns an error if a GIF cannot have this size.
    pub fn new([width, height]: [u32; 2], palette: GifPalette) -> Result<Self, GifError> {
        let (Ok(wide @ 1..), Ok(high @ 1..)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(GifError::Size(width, height));
        };
        let mut encoder = Encoder::new(Vec::new(), wide, high, &palette.rgb)?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, palette, size: [wide, high], before: Vec::new() })
    }

    /// Adds a frame that is shown for `delay_cs` hundredths of a second.
    ///
    /// # Errors
    ///
    /// Returns an error if the frame has another size.
    pub fn push(&mut self, frame: &RgbaImage, delay_cs: u16) -> Result<(), GifError> {
        let [width, height] = self.size;
        if frame.dimensions() != (width.into(), height.into()) {
            return Err(GifError::OtherSize(frame.width(), frame.height()));
        }
        let now: Vec<u8> = frame
            .enumerate_pixels()
            .map(|(x, y, pixel)| {
                let threshold = BAYER[y as usize % 4][x as usize % 4];
                self.palette.index([pixel[0], pixel[1], pixel[2]], threshold)
            })
            .collect();
        let area = ChangedArea::new(&self.before, &now, usize::from(width));
        let buffer = area.crop(&self.before, &now, usize::from(width));
        self.encoder.write_frame(&Frame {
            delay: delay_cs,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED_INDEX),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
        self.before = now;
        Ok(())
    }

    /// Returns the content of the file.
    ///
    /// # Errors
    ///
    /// Returns errors of the encoder.
    pub fn finish(self) -> Result<Vec<u8>, GifError> {
        Ok(self.encoder.into_inner()?)
    }
}

/// The changed rectangle of a frame. Never empty.
struct ChangedArea {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl ChangedArea {
    /// Returns the bounding box of the changed pixels.
    fn new(before: &[u8], now: &[u8], width: usize) -> Self {
        let height = now.len() / width;
        if before.is_empty() {
            return Self { left: 0, top: 0, width, height };
        }
        let mut low = [width, height];
        let mut high = [0, 0];
        for (at, (was, is)) in before.iter().zip(now).enumerate() {
            if was != is {
                let place = [at % width, at / width];
                for axis in 0..2 {
                    low[axis] = low[axis].min(place[axis]);
                    high[axis] = high[axis].max(place[axis] + 1);
                }
            }
        }
        if high == [0, 0] {
            // A frame without changes still takes its time.
            low = [0, 0];
            high = [1, 1];
        }
        Self { left: low[0], top: low[1], width: high[0] - low[0], height: high[1] - low[1] }
    }

    /// Returns the indices in the area, with unchanged pixels marked.
    fn crop(&self, before: &[u8], now: &[u8], width: usize) -> Vec<u8> {
        let mut indices = Vec::with_capacity(self.width * self.height);
        for row in self.top..self.top + self.height {
            let begin = row * width + self.left;
            for (at, &index) in now.iter().enumerate().skip(begin).take(self.width) {
                let is_unchanged = before.get(at) == Some(&index);
                indices.push(if is_unchanged { UNCHANGED_INDEX } else { index });
            }
        }
        indices
    }
}

/// Number of colours in the palette of a PNG.
const PNG_COLORS: usize = 256;
/// `NeuQuant` learns from every tenth pixel of a PNG. 1 is best and slowest.
const PNG_SAMPLE_STEP: i32 = 10;

/// Encodes an opaque picture as PNG with a palette of at most 256 colours. Pictures with no
/// more colours are encoded exactly.
///
/// # Errors
///
/// Returns errors of the encoder.
pub fn small_png(image: &RgbaImage) -> Result<Vec<u8>, png::EncodingError> {
    let (palette, indices) = exact_palette(image).unwrap_or_else(|| quantized(image));
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

/// Returns the palette and the index of each pixel. Returns `None` if there are too many
/// colours.
fn exact_palette(image: &RgbaImage) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(image.as_raw().len() / 4);
    for color in rgb(image) {
        let next = known.len();
        let index = match known.get(&color) {
            Some(&index) => index,
            None if next == PNG_COLORS => return None,
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

/// Returns a palette of similar colours, and the index of each pixel.
fn quantized(image: &RgbaImage) -> (Vec<u8>, Vec<u8>) {
    let colors = NeuQuant::new(PNG_SAMPLE_STEP, PNG_COLORS, image.as_raw());
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let indices = rgb(image)
        .map(|color| {
            let [r, g, b] = color;
            *known.entry(color).or_insert_with(|| colors.index_of(&[r, g, b, 255]) as u8)
        })
        .collect();
    (colors.color_map_rgb(), indices)
}

#[cfg(test)]
mod tests {

    use super::*;
    use image::Rgba;

    /// A red square that moves over a shade of grey.
    fn frame(at: u32) -> RgbaImage {
        RgbaImage::from_fn(64, 48, |x, y| {
            let inside = (at..at + 8).contains(&x) && (10..18).contains(&y);
            if inside {
                Rgba([200, 20, 30, 255])
            } else {
                let grey = (80 + 2 * y) as u8;
                Rgba([grey, grey, grey, 255])
            }
        })
    }

    #[test]
    fn decoded_frames_have_their_colours_and_times() {
        let frames: Vec<RgbaImage> = (0..5).map(|at| frame(8 * at)).collect();
        let mut writer = GifWriter::new([64, 48], GifPalette::from_frames(&frames)).unwrap();
        for frame in &frames {
            writer.push(frame, 5).unwrap();
        }
        writer.push(&frames[4], 7).unwrap();
        let bytes = writer.finish().unwrap();

        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (64, 48));
        let mut screen = RgbaImage::new(64, 48);
        let mut delays = Vec::new();
        let mut sizes = Vec::new();
        while let Some(part) = decoder.read_next_frame().unwrap() {
            delays.push(part.delay);
            sizes.push((part.width, part.height));
            for (at, pixel) in part.buffer.chunks_exact(4).enumerate() {
                let (x, y) = (at % usize::from(part.width), at / usize::from(part.width));
                if pixel[3] != 0 {
                    let place = (u32::from(part.left) + x as u32, u32::from(part.top) + y as u32);
                    screen.put_pixel(place.0, place.1, Rgba([pixel[0], pixel[1], pixel[2], 255]));
                }
            }
            if let Some(wanted) = frames.get(delays.len() - 1) {
                for (ours, wanted) in screen.pixels().zip(wanted.pixels()) {
                    for channel in 0..3 {
                        let off = i32::from(ours[channel]) - i32::from(wanted[channel]);
                        assert!(off.abs() <= 12, "{ours:?} {wanted:?}");
                    }
                }
            }
        }
        assert_eq!(delays, [5, 5, 5, 5, 5, 7]);
        assert_eq!(sizes[0], (64, 48));
        assert_eq!(sizes[1], (16, 8), "only what changed is stored");
        assert_eq!(sizes[5], (1, 1));
    }

    #[test]
    fn invalid_sizes_are_rejected() {
        let palette = || GifPalette::from_frames(&[frame(0)]);
        assert!(matches!(GifWriter::new([0, 5], palette()), Err(GifError::Size(0, 5))));
        assert!(GifWriter::new([70_000, 5], palette()).is_err());
        let mut writer = GifWriter::new([64, 40], palette()).unwrap();
        assert!(matches!(writer.push(&frame(0), 5), Err(GifError::OtherSize(64, 48))));
    }

    fn read(bytes: &[u8]) -> RgbaImage {
        image::load_from_memory(bytes).expect("a PNG").to_rgba8()
    }

    #[test]
    fn few_colours_are_exact() {
        let image =
            RgbaImage::from_fn(40, 30, |x, y| image::Rgba([x as u8, (y / 8) as u8, 7, 255]));
        assert_eq!(read(&small_png(&image).expect("written")), image);
    }

    #[test]
    fn many_colours_are_approximated() {
        let image =
            RgbaImage::from_fn(256, 64, |x, y| image::Rgba([x as u8, (4 * y) as u8, 128, 255]));
        let shown = read(&small_png(&image).expect("written"));
        let off = |a: u8, b: u8| u32::from(a.abs_diff(b));
        let pairs = image.pixels().zip(shown.pixels());
        let sum: u32 = pairs.map(|(a, b)| off(a[0], b[0]) + off(a[1], b[1])).sum();
        assert!(sum / (256 * 64) < 16, "{}", sum / (256 * 64));
    }
}
