//! How much of a picture is drawn, and when that is asked.

/// How much of a picture is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// All samples of all pixels.
    #[default]
    Full,
    /// One sample of all pixels.
    OneSample,
    /// One sample of one pixel in four.
    Half,
    /// One sample of one pixel in nine.
    Third,
}

impl Quality {
    pub(super) const ALL: [Self; 4] = [Self::Full, Self::OneSample, Self::Half, Self::Third];
    pub(super) const LEAST: Self = Self::Third;

    /// Pixels of the page to a pixel of the picture, along either side.
    pub fn pixels_to_one(self) -> u32 {
        match self {
            Self::Full | Self::OneSample => 1,
            Self::Half => 2,
            Self::Third => 3,
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }

    pub(super) fn better(self) -> Option<Self> {
        Self::ALL.get(self.index().checked_sub(1)?).copied()
    }

    pub(super) fn lower(self, steps: usize) -> Self {
        let lowered = Self::ALL.get(self.index() + steps);
        lowered.copied().unwrap_or(Self::LEAST)
    }

    /// How many times what a frame takes the level above takes, where nothing is known:
    /// as where a processor draws sample by sample.
    pub(super) fn guessed_factor(self) -> f64 {
        match self {
            Self::Full => 1.0,
            Self::OneSample => 3.0,
            Self::Half => 4.0,
            Self::Third => 2.25,
        }
    }
}

/// When a frame is drawn, and what the reader does meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// By the page's clock.
    pub now_secs: f64,
    /// A button, a finger or a key is down: what has stopped may go on at once.
    pub held: bool,
}
