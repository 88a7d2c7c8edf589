//! Encoded pictures and the resolution at which they are decoded.

use std::sync::Arc;

/// Maximum width and height of a decoded picture.
const MAX_SIDE_PX: u32 = 4096;
/// Maximum number of pixels of a decoded picture.
const MAX_PIXELS: f32 = 8e6;

/// A PNG or JPEG file with a valid header.
#[derive(Clone, Debug)]
pub struct EncodedPicture {
    /// Content of the file.
    pub bytes: Arc<[u8]>,
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// Natural width and height in points, above 0.
    pub size: [f32; 2],
}

impl EncodedPicture {
    /// Computes the resolution at which to decode the picture for a displayed size in pixels.
    /// It exceeds neither the limits of memory nor the resolution of the picture.
    pub fn pixels_for(&self, shown: [f32; 2]) -> [u32; 2] {
        let width = shown[0].min(self.size[0]);
        let height = shown[1].min(self.size[1]);
        let scale = (MAX_PIXELS / (width * height)).sqrt().min(1.0);
        [width, height].map(|side| ((side * scale).ceil() as u32).clamp(1, MAX_SIDE_PX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolution_is_limited_by_display_file_and_memory() {
        let bytes: Arc<[u8]> = Arc::default();
        let png = EncodedPicture {
            bytes: Arc::clone(&bytes),
            media_type: "image/png",
            size: [400.0, 300.0],
        };
        assert_eq!(png.pixels_for([200.0, 150.0]), [200, 150]);
        assert_eq!(png.pixels_for([800.0, 600.0]), [400, 300]);
        let large = EncodedPicture { bytes, media_type: "image/png", size: [50_000.0, 50_000.0] };
        let [width, height] = large.pixels_for([40_000.0, 30_000.0]);
        assert!(width <= MAX_SIDE_PX && height <= MAX_SIDE_PX);
        assert!((width * height) as f32 <= 1.01 * MAX_PIXELS);
        assert_eq!(large.pixels_for([0.0, 0.0]), [1, 1]);
    }
}
