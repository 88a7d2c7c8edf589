//! Numbers on the command line, refused in words.

/// A number that is not infinite: `0.5`, `-1`, `1e-3`.
pub(super) fn number<T: std::str::FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    let number = text.parse().ok();
    number
        .filter(|&number: &T| number.into().is_finite())
        .ok_or_else(|| "write a number, such as 0.5".to_owned())
}

/// A whole number from 0.
pub(super) fn index(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| "write a whole number from 0".to_owned())
}

/// Width and height in pixels.
pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    text.split_once(['x', '×'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]))
        .ok_or_else(|| "write width and height in pixels, such as 1440x900".to_owned())
}

/// So much memory, in bytes: `4GiB`, `512 MB`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a size, such as 4GiB or 512MiB".to_owned();
    let text = text.trim();
    let end = text.find(char::is_alphabetic).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(end);
    let (base, power) = match unit.to_ascii_lowercase().as_str() {
        "kib" => (1024_f64, 1),
        "mib" => (1024.0, 2),
        "gib" => (1024.0, 3),
        "tib" => (1024.0, 4),
        "kb" => (1000.0, 1),
        "mb" => (1000.0, 2),
        "gb" => (1000.0, 3),
        "tb" => (1000.0, 4),
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().ok().ok_or_else(wrong)?;
    let bytes = number * base.powi(power);
    if (1.0..=u64::MAX as f64).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_whole_numbers() {
        assert_eq!(size("1440x900"), Ok([1440, 900]));
        for wrong in ["1440", "1440x", "x900", "-1x2", "1e3x5", "1x2x3"] {
            assert!(size(wrong).unwrap_err().contains("1440x900"), "{wrong}");
        }
    }

    #[test]
    fn memory_has_a_unit() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes(" 1.5 gib "), Ok(3 << 29));
        assert_eq!(bytes("512MB"), Ok(512_000_000));
        for wrong in ["", "4", "GiB", "-1GiB", "0MiB", "1e30TB", "nanMB", "4 apples", "4G"] {
            assert!(bytes(wrong).unwrap_err().contains("4GiB"), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_finite_and_places_are_whole() {
        assert_eq!(number("-1"), Ok(-1.0_f64));
        assert_eq!(index("3"), Ok(3));
        for wrong in ["", "x", "inf", "nan", "1e400"] {
            assert!(number::<f64>(wrong).is_err(), "{wrong}");
        }
        assert!(number::<f32>("1e300").is_err());
        assert!(index("-1").is_err() && index("1.5").is_err());
    }
}
