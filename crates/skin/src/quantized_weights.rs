//! Weights as normalized integers, as in files: a byte c is c / 255, a short c / 65535.

use super::LANES;
use crate::keyed;

keyed! {
    /// The integer format of quantized weights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum WeightFormat {
        /// 8 bits, from 0 to 255.
        #[default]
        Bytes = "bytes" => "bytes",
        /// 16 bits, from 0 to 65535.
        Shorts = "shorts" => "shorts",
    }
}

impl WeightFormat {
    /// Returns the largest integer of the format, which represents a weight of 1.
    pub fn most(self) -> u16 {
        match self {
            Self::Bytes => u8::MAX.into(),
            Self::Shorts => u16::MAX,
        }
    }

    /// Rounds each weight to the nearest integer, halves upwards, and clamps it to the
    /// format. NaN becomes 0. The sum of the results can differ from [`Self::most`].
    pub fn rounded(self, weights: &[f32; LANES]) -> [u16; LANES] {
        let max = f64::from(self.most());
        weights.map(|weight| {
            let exact = f64::from(weight) * max;
            // The cast clamps negative numbers to 0. `min` would turn NaN into `max`.
            if exact.is_nan() { 0 } else { (exact + 0.5).floor().min(max) as u16 }
        })
    }

    /// Quantizes weights to integers whose sum is exactly [`Self::most`].
    ///
    /// Divides the weights by their sum and rounds them down. The missing units go, one each,
    /// to the weights with the largest remainders (the method of Hamilton, 1791). No result
    /// differs from its exact weight by more than 1.
    ///
    /// Weights that are negative or not finite count as 0. Returns `None` if no weight is
    /// positive.
    pub fn keeping_sum(self, weights: &[f32; LANES]) -> Option<[u16; LANES]> {
        self.keeping_sum_of(weights)?.try_into().ok()
    }

    /// Quantizes any number of weights like [`Self::keeping_sum`].
    pub fn keeping_sum_of(self, weights: &[f32]) -> Option<Vec<u16>> {
        let weights: Vec<f64> = weights
            .iter()
            .map(|&weight| if weight.is_finite() && weight > 0.0 { f64::from(weight) } else { 0.0 })
            .collect();
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        let max = f64::from(self.most());
        let exact: Vec<f64> = weights.iter().map(|weight| weight / sum * max).collect();
        let mut numbers: Vec<u16> = exact.iter().map(|exact| exact.floor() as u16).collect();
        let number_sum: u32 = numbers.iter().copied().map(u32::from).sum();
        let missing = u32::from(self.most()).saturating_sub(number_sum) as usize;
        // Of equal remainders, the larger weight is first, then the lower lane.
        let mut lanes: Vec<usize> =
            (0..weights.len()).filter(|&lane| weights[lane] > 0.0).collect();
        lanes.sort_by(|&a, &b| {
            let by_remainder = exact[b].fract().total_cmp(&exact[a].fract());
            by_remainder.then(weights[b].total_cmp(&weights[a]))
        });
        for &lane in lanes.iter().take(missing) {
            numbers[lane] += 1;
        }
        Some(numbers)
    }

    /// Converts integers back to weights, without dividing by their sum.
    pub fn restored(self, numbers: &[u16; LANES]) -> [f32; LANES] {
        numbers.map(|number| f32::from(number) / f32::from(self.most()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(numbers: &[u16; LANES]) -> u32 {
        numbers.iter().copied().map(u32::from).sum()
    }

    proptest! {
        #[test]
        fn the_sum_is_exact_and_no_number_is_further_than_1_from_its_weight(
            weights in prop::array::uniform8(prop_oneof![
                4 => 0.0_f32..=1.0,
                2 => Just(0.0),
                1 => any::<f32>(),
            ]),
        ) {
            for format in WeightFormat::ALL {
                let _ = format.rounded(&weights);
                let Some(numbers) = format.keeping_sum(&weights) else {
                    let is_none = |weight: &f32| !weight.is_finite() || *weight <= 0.0;
                    prop_assert!(weights.iter().all(is_none));
                    continue;
                };
                let max = u32::from(format.most());
                prop_assert_eq!(sum(&numbers), max);
                let weights = weights.map(|w| if w.is_finite() { f64::from(w.max(0.0)) } else { 0.0 });
                let weight_sum: f64 = weights.iter().sum();
                for (number, weight) in numbers.into_iter().zip(weights) {
                    let exact = weight / weight_sum * f64::from(max);
                    prop_assert!((f64::from(number) - exact).abs() <= 1.0 + 1e-9);
                    prop_assert!(weight > 0.0 || number == 0);
                }
            }
        }

        #[test]
        fn quantizing_restored_weights_changes_nothing(
            weights in prop::array::uniform8(0.0_f32..=1.0),
        ) {
            for format in WeightFormat::ALL {
                if let Some(numbers) = format.keeping_sum(&weights) {
                    let again = format.keeping_sum(&format.restored(&numbers));
                    prop_assert_eq!(again, Some(numbers));
                }
            }
        }
    }

    #[test]
    fn two_halves_are_127_and_128_but_rounded_alone_their_sum_is_256() {
        let mut halves = [0.0; LANES];
        halves[..2].fill(0.5);
        let bytes = WeightFormat::Bytes;
        assert_eq!(sum(&bytes.rounded(&halves)), 256);
        let kept = bytes.keeping_sum(&halves).unwrap();
        assert_eq!(kept[..3], [128, 127, 0]);
        let mut thirds = [0.0; LANES];
        thirds[..3].fill(1.0 / 3.0);
        assert_eq!(bytes.keeping_sum(&thirds).unwrap()[..3], [85, 85, 85]);
        assert_eq!(bytes.keeping_sum(&[0.0; LANES]), None);
        assert_eq!(bytes.rounded(&[f32::NAN; LANES]), [0; LANES]);
        assert_eq!(WeightFormat::Shorts.rounded(&[9.0; LANES])[0], u16::MAX);
    }
}
