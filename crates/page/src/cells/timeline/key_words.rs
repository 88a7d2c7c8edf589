//! The keys of a channel in words, for those who do not see them.

use bindpose_notebook::number_text;
use bindpose_skin::Track;

/// Keys that are told one by one.
const MOST: usize = 40;

/// `0.00 s: 0.00, 0.00, 0.38, 0.92; 0.50 s: …`, and how many more there are.
pub(super) fn key_words(track: &Track) -> String {
    let told = (0..track.key_times().len()).take(MOST);
    let told = told.map(|key| one_key(track, key));
    let more = track.key_count().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("and {more} more"));
    told.chain(more).collect::<Vec<_>>().join("; ")
}

/// `0.50 s: 0.00, 0.00, 0.38, 0.92`
pub(super) fn one_key(track: &Track, key: usize) -> String {
    let number = |x: f32| number_text::fixed(x.into(), 2);
    let secs = track.key_times().get(key).copied().unwrap_or_default();
    let value: Vec<String> = track.value(key).iter().copied().map(number).collect();
    format!("{} s: {}", number(secs), value.join(", "))
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{Interpolation, TrackProperty};

    use super::*;

    #[test]
    fn the_value_of_a_spline_is_told_and_not_its_tangents() {
        let track = |keys: usize, interpolation, per_key: usize| Track {
            property: TrackProperty::Translation,
            interpolation,
            times_secs: (0..keys).map(|key| key as f32 * 0.5).collect(),
            values: (0..keys * per_key * 3).map(|at| at as f32).collect(),
            width: 3,
        };
        assert_eq!(
            key_words(&track(2, Interpolation::Linear, 1)),
            "0.00 s: 0.00, 1.00, 2.00; 0.50 s: 3.00, 4.00, 5.00"
        );
        assert_eq!(key_words(&track(1, Interpolation::CubicSpline, 3)), "0.00 s: 3.00, 4.00, 5.00");
        assert!(key_words(&track(100, Interpolation::Step, 1)).ends_with("; and 60 more"));
    }
}
