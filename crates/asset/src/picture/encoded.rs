//! A picture before it is decoded, and in how many pixels that is done.

use std::sync::Arc;

/// Pixels along a side.
const MOST_SIDE: u32 = 4096;
/// Pixels of all of it.
const MOST_PIXELS: f32 = 8e6;
/// What an SVG is called.
pub(super) const SVG: &str = "image/svg+xml";

/// A PNG, JPEG or SVG file that is a picture by its header.
#[derive(Clone, Debug)]
pub struct EncodedPicture {
    /// The whole file.
    pub bytes: Arc<[u8]>,
    /// `image/png`, `image/jpeg` or `image/svg+xml`.
    pub media_type: &'static str,
    /// In points; above 0.
    pub size: [f32; 2],
}

impl EncodedPicture {
    /// In how many pixels it is decoded to be shown in so many, without more than it
    /// has or than are held.
    pub fn pixels_for(&self, shown: [f32; 2]) -> [u32; 2] {
        let is_svg = self.media_type == SVG;
        let most = |side: usize| {
            let own = if is_svg { f32::MAX } else { self.size[side] };
            shown[side].min(own)
        };
        let wanted = [most(0), most(1)];
        let shrink = (MOST_PIXELS / (wanted[0] * wanted[1])).sqrt().min(1.0);
        wanted.map(|side| ((side * shrink).ceil() as u32).clamp(1, MOST_SIDE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_pixels_are_made_than_are_there_shown_and_held() {
        let of = |media_type, size| EncodedPicture { bytes: Arc::default(), media_type, size };
        let png = of("image/png", [400.0, 300.0]);
        assert_eq!(png.pixels_for([200.0, 150.0]), [200, 150]);
        assert_eq!(png.pixels_for([800.0, 600.0]), [400, 300]);
        let svg = of(SVG, [4.0, 3.0]);
        assert_eq!(svg.pixels_for([800.0, 600.0]), [800, 600]);
        let [width, height] = svg.pixels_for([40_000.0, 30_000.0]);
        assert!(width <= MOST_SIDE && height <= MOST_SIDE);
        assert!((width * height) as f32 <= 1.01 * MOST_PIXELS);
        assert_eq!(svg.pixels_for([0.0, 0.0]), [1, 1]);
    }
}
