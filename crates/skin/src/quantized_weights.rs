//! Weights as bytes or shorts, as files have them: c stands for c / 255, or c / 65535.

use super::LANES;
use crate::keyed;

keyed! {
    /// A whole number for each weight.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum WeightFormat {
        /// 0 to 255.
        #[default]
        Bytes = "bytes" => "bytes",
        /// 0 to 65535.
        Shorts = "shorts" => "shorts",
    }
}

impl WeightFormat {
    /// The number that stands for 1.
    pub fn most(self) -> u16 {
        match self {
            Self::Bytes => u8::MAX.into(),
            Self::Shorts => u16::MAX,
        }
    }

    /// Each weight rounded by itself, halves upwards, held between 0 and the number for
    /// 1. What is no number is 0. What they add up to is not looked at.
    pub fn rounded(self, weights: &[f32; LANES]) -> [u16; LANES] {
        let most = f64::from(self.most());
        weights.map(|weight| {
            let exact = f64::from(weight) * most;
            // A cast takes what is below 0 to 0; the smaller of two is never no number.
            if exact.is_nan() { 0 } else { (exact + 0.5).floor().min(most) as u16 }
        })
    }

    /// Numbers that add up to that for 1, exactly: each weight is cut off, and what is
    /// then missing goes, one each, to those that lost most by it (the method of the
    /// largest remainder, Hamilton 1791). None is further from its weight than 1.
    ///
    /// The weights are divided by their sum first; those below 0 and what is no number
    /// have no part in it. `None`: none has.
    pub fn keeping_sum(self, weights: &[f32; LANES]) -> Option<[u16; LANES]> {
        self.keeping_sum_of(weights)?.try_into().ok()
    }

    /// The same of any number of weights; one number each.
    pub fn keeping_sum_of(self, weights: &[f32]) -> Option<Vec<u16>> {
        let part = |&weight: &f32| {
            if weight.is_finite() && weight > 0.0 { f64::from(weight) } else { 0.0 }
        };
        let parts: Vec<f64> = weights.iter().map(part).collect();
        let sum: f64 = parts.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        let most = f64::from(self.most());
        let exact: Vec<f64> = parts.iter().map(|part| part / sum * most).collect();
        let mut numbers: Vec<u16> = exact.iter().map(|exact| exact.floor() as u16).collect();
        let given: u32 = numbers.iter().copied().map(u32::from).sum();
        let missing = u32::from(self.most()).saturating_sub(given) as usize;
        let mut order: Vec<usize> = (0..parts.len()).filter(|&lane| parts[lane] > 0.0).collect();
        let lost: Vec<f64> = exact.iter().map(|exact| exact.fract()).collect();
        // Of equal losses the larger weight first, then the first lane.
        order.sort_by(|&a, &b| {
            let by_loss = lost[b].total_cmp(&lost[a]);
            by_loss.then(parts[b].total_cmp(&parts[a]))
        });
        for &lane in order.iter().take(missing) {
            numbers[lane] += 1;
        }
        Some(numbers)
    }

    /// What a reader makes of the numbers without dividing by their sum.
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
                let most = u32::from(format.most());
                prop_assert_eq!(sum(&numbers), most);
                let parts = weights.map(|w| if w.is_finite() { f64::from(w.max(0.0)) } else { 0.0 });
                let whole: f64 = parts.iter().sum();
                for (number, part) in numbers.into_iter().zip(parts) {
                    let exact = part / whole * f64::from(most);
                    prop_assert!((f64::from(number) - exact).abs() <= 1.0 + 1e-9);
                    prop_assert!(part > 0.0 || number == 0);
                }
            }
        }

        #[test]
        fn what_was_written_so_stays_when_it_is_written_again(
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
    fn two_halves_are_127_and_128_and_rounded_by_themselves_one_too_many() {
        let mut halves = [0.0; LANES];
        (halves[0], halves[1]) = (0.5, 0.5);
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
