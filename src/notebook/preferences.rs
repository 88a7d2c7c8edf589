//! What is remembered between runs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Smallest and largest text size, 1 being normal.
pub const ZOOM_RANGE: (f32, f32) = (0.75, 3.0);

/// Theme, text size, window, progress and the page that was open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// `None`: as the system has it.
    pub dark: Option<bool>,
    /// Text size; see [`ZOOM_RANGE`].
    pub zoom: f32,
    /// Is the list of lessons shown?
    pub contents: bool,
    /// Inner size of the window, in points.
    pub window_size: Option<[f32; 2]>,
    /// Outer position of the window, in points.
    pub window_position: Option<[f32; 2]>,
    /// Slugs of the steps that were visited, by lesson slug.
    pub visited: BTreeMap<String, BTreeSet<String>>,
    /// The page that was open, as a link.
    pub link: Option<String>,
    /// What was changed at steps, as links to them; see
    /// [`Notebook::kept_links`](super::Notebook::kept_links).
    pub kept: Vec<String>,
    /// Paths of models that were opened, the newest first.
    pub recent: Vec<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            dark: None,
            zoom: 1.0,
            contents: true,
            window_size: None,
            window_position: None,
            visited: BTreeMap::new(),
            link: None,
            kept: Vec::new(),
            recent: Vec::new(),
        }
    }
}

impl Preferences {
    /// Reads a settings file. Values that make no sense become their defaults.
    ///
    /// # Errors
    /// When it is not JSON of this shape.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let mut preferences: Self = serde_json::from_str(text)?;
        let (low, high) = ZOOM_RANGE;
        preferences.zoom = if preferences.zoom.is_finite() {
            preferences.zoom.clamp(low, high)
        } else {
            1.0
        };
        let sane = |pair: &[f32; 2]| pair.iter().all(|x| x.is_finite() && x.abs() < 32_000.0);
        preferences.window_size = preferences
            .window_size
            .filter(|size| sane(size) && size.iter().all(|&x| x >= 200.0));
        preferences.window_position = preferences.window_position.filter(sane);
        Ok(preferences)
    }

    /// As written to the file.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_a_round_trip_and_nonsense_becomes_the_default() {
        let mut preferences = Preferences {
            dark: Some(true),
            zoom: 1.5,
            window_size: Some([1280.0, 720.0]),
            ..Preferences::default()
        };
        preferences
            .visited
            .entry("bind-pose".to_owned())
            .or_default()
            .insert("a-head".to_owned());
        assert_eq!(
            Preferences::parse(&preferences.text()).unwrap(),
            preferences
        );

        let wild = r#"{"zoom": 1e9, "window_size": [3, 5], "unknown": 1}"#;
        let read = Preferences::parse(wild).unwrap();
        assert_eq!((read.zoom, read.window_size), (3.0, None));
        assert!(Preferences::parse("{\"zoom\": ").is_err());
    }
}
