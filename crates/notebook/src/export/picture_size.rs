//! How large a picture is drawn for its file.

use bindpose_skin::keyed;

keyed! {
    /// Pixels of a picture, still or moving.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PictureSize {
        /// As it stands on the page.
        #[default]
        AsShown = "as-shown" => "as on the page",
        /// Of a slide.
        Hd = "1280x720" => "1280 × 720",
        /// Of a large screen.
        FullHd = "1920x1080" => "1920 × 1080",
        /// Each side twice as long as on the page.
        Double = "x2" => "× 2",
    }
}

impl PictureSize {
    /// In pixels, for a picture of that many on the page.
    pub fn of(self, shown_px: [u32; 2]) -> [u32; 2] {
        match self {
            Self::AsShown => shown_px,
            Self::Hd => [1280, 720],
            Self::FullHd => [1920, 1080],
            Self::Double => shown_px.map(|side| side.saturating_mul(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::film_size;

    #[test]
    fn a_picture_has_the_pixels_that_were_chosen_and_a_film_no_more_than_it_needs() {
        let sizes = PictureSize::ALL.map(|size| size.of([900, 450]));
        assert_eq!(sizes, [[900, 450], [1280, 720], [1920, 1080], [1800, 900]]);
        let films = PictureSize::ALL.map(|size| film_size([900, 450], size));
        assert_eq!(films, [[640, 320], [1280, 720], [1920, 1080], [1280, 640]]);
    }
}
