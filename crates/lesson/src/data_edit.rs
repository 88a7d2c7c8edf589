//! Edits of the model's data, in the syntax of links: `weights.3=0,1,0,0`,
//! `joints.3=1,2,0,0`, `inverse-bind.1=…`, `texel.2.3=…`, `bytes.0.48=0000803f`,
//! `turn.2=0,0,1,0`, `shift.2=0,1,0`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{JointIndex, LANES, SET_LANES, keyed};

use super::JointName;
use super::matrix_names::INVERSE_BIND_MATRIX;

/// Largest absolute value of a weight, matrix cell or texel component.
pub const MAX_CELL_ABS: f32 = 1e6;

keyed! {
    /// First parts of the keys of edits, before the point.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DataKind {
        Weights = "weights",
        Joints = "joints",
        InverseBind = "inverse-bind",
        Texel = "texel",
        Bytes = "bytes",
        Turn = "turn",
        Shift = "shift",
    }
}

/// An edit that replaces stored or computed data. Whether the model has such a vertex,
/// joint or byte is not checked here.
#[derive(Clone, Debug, PartialEq)]
pub enum DataEdit {
    /// All weights of a vertex, by lane.
    Weights(u32, [f32; LANES]),
    /// The joints of all lanes of a vertex.
    Joints(u32, [JointName; LANES]),
    /// The inverse bind matrix of a joint, column-major.
    InverseBind(JointName, [f32; 16]),
    /// A texel in a joint's row of the palette, which holds column 0 to 3 of its matrix.
    Texel(JointName, usize, [f32; 4]),
    /// Consecutive bytes of the rig's file.
    Bytes {
        /// Index of the buffer in the file.
        buffer: u32,
        /// Offset of the first byte in the buffer.
        offset: u32,
        bytes: Vec<u8>,
    },
    /// A rotation of a joint by hand, about its own axes, applied after the pose: a
    /// quaternion x, y, z, w other than 0.
    Turn(JointName, [f32; 4]),
    /// A translation of a joint by hand, in the frame of its parent.
    Shift(JointName, [f32; 3]),
}

impl DataEdit {
    /// Parses an edit from the key and the value of a link. Returns `None` if the key is
    /// not that of an edit, and the expected syntax if key or value is malformed.
    pub fn from_link(key: &str, text: &str) -> Option<Result<Self, String>> {
        let (kind, place) = key.split_once('.')?;
        Some(match DataKind::from_key(kind)? {
            DataKind::Weights => parse_weights(place, text),
            DataKind::Joints => parse_joints(place, text),
            DataKind::InverseBind => parse_inverse_bind(place, text),
            DataKind::Texel => parse_texel(place, text),
            DataKind::Bytes => parse_bytes(place, text),
            DataKind::Turn => parse_turn(place, text),
            DataKind::Shift => parse_shift(place, text),
        })
    }

    /// Like [`Self::from_link`], where commas separate settings, so that numbers can be
    /// separated by `+`.
    pub(super) fn from_setting(key: &str, text: &str) -> Option<Result<Self, String>> {
        Self::from_link(key, &text.replace('+', ","))
    }

    /// Name of the kind of edit within a sentence.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Weights(..) => "weights of a vertex",
            Self::Joints(..) => "joints of a vertex",
            Self::InverseBind(..) => INVERSE_BIND_MATRIX,
            Self::Texel(..) => "texel of a joint",
            Self::Bytes { .. } => "bytes of the file",
            Self::Turn(..) => "turn of a joint by hand",
            Self::Shift(..) => "move of a joint by hand",
        }
    }

    /// Joints named in the edit.
    pub fn joints(&self) -> &[JointName] {
        match self {
            Self::Joints(_, joints) => joints,
            Self::InverseBind(joint, _)
            | Self::Texel(joint, ..)
            | Self::Turn(joint, _)
            | Self::Shift(joint, _) => std::slice::from_ref(joint),
            Self::Weights(..) | Self::Bytes { .. } => &[],
        }
    }

    /// Key of the edit in a link.
    pub fn key(&self) -> String {
        match self {
            Self::Weights(vertex, _) => format!("weights.{vertex}"),
            Self::Joints(vertex, _) => format!("joints.{vertex}"),
            Self::InverseBind(joint, _) => format!("inverse-bind.{joint}"),
            Self::Texel(joint, column, _) => format!("texel.{joint}.{column}"),
            Self::Bytes { buffer, offset, .. } => format!("bytes.{buffer}.{offset}"),
            Self::Turn(joint, _) => format!("turn.{joint}"),
            Self::Shift(joint, _) => format!("shift.{joint}"),
        }
    }

    /// Value of the edit in a link.
    pub fn text(&self) -> String {
        match self {
            // The second set of lanes is left out if it is all zero.
            Self::Weights(_, weights) if weights[SET_LANES..].iter().all(|&w| w == 0.0) => {
                with_commas(&weights[..SET_LANES])
            }
            Self::Weights(_, weights) => with_commas(weights),
            Self::Joints(_, joints) => {
                let unused = JointName::Index(JointIndex(0));
                let uses_second_set = joints[SET_LANES..].iter().any(|joint| *joint != unused);
                let lanes = if uses_second_set { LANES } else { SET_LANES };
                let names: Vec<String> = joints[..lanes].iter().map(JointName::to_string).collect();
                names.join(",")
            }
            Self::InverseBind(_, cells) => with_commas(cells),
            Self::Texel(_, _, texel) => with_commas(texel),
            Self::Turn(_, turn) => with_commas(turn),
            Self::Shift(_, by) => with_commas(by),
            Self::Bytes { bytes, .. } => {
                let mut hex = String::with_capacity(2 * bytes.len());
                for byte in bytes {
                    let _ = write!(hex, "{byte:02x}");
                }
                hex
            }
        }
    }
}

fn parse_weights(vertex: &str, text: &str) -> Result<DataEdit, String> {
    let vertex =
        vertex.parse().ok().ok_or_else(|| "the number of a vertex, as in weights.3".to_owned())?;
    let weights = numbers::<LANES>(text).or_else(|_| {
        let [a, b, c, d] = numbers::<SET_LANES>(text)?;
        Ok::<_, String>([a, b, c, d, 0.0, 0.0, 0.0, 0.0])
    })?;
    Ok(DataEdit::Weights(vertex, weights))
}

fn parse_joints(vertex: &str, text: &str) -> Result<DataEdit, String> {
    let vertex =
        vertex.parse().ok().ok_or_else(|| "the number of a vertex, as in joints.3".to_owned())?;
    let given: Vec<JointName> = text
        .split(',')
        .map(parse_joint_name)
        .collect::<Option<Vec<_>>>()
        .filter(|given| [SET_LANES, LANES].contains(&given.len()))
        .ok_or_else(|| format!("{SET_LANES} or {LANES} joints with commas between"))?;
    let mut joints = std::array::from_fn(|_| JointName::Index(JointIndex(0)));
    for (joint, given) in joints.iter_mut().zip(given) {
        *joint = given;
    }
    Ok(DataEdit::Joints(vertex, joints))
}

fn parse_inverse_bind(joint: &str, text: &str) -> Result<DataEdit, String> {
    let joint = parse_joint_name(joint)
        .ok_or_else(|| "the number or name of a joint, as in inverse-bind.1".to_owned())?;
    Ok(DataEdit::InverseBind(joint, numbers(text)?))
}

fn parse_texel(place: &str, text: &str) -> Result<DataEdit, String> {
    let (joint, column) = place
        .rsplit_once('.')
        .and_then(|(joint, column)| Some((parse_joint_name(joint)?, column.parse().ok()?)))
        .filter(|&(_, column)| column < 4)
        .ok_or_else(|| "texel.joint.column, as in texel.1.3".to_owned())?;
    let texel = numbers(text)?;
    Ok(DataEdit::Texel(joint, column, texel))
}

fn parse_turn(joint: &str, text: &str) -> Result<DataEdit, String> {
    let joint = parse_joint_name(joint)
        .ok_or_else(|| "the number or name of a joint, as in turn.2".to_owned())?;
    let turn = numbers::<4>(text)?;
    // A quaternion this small has no meaningful direction.
    if turn.iter().all(|part| part.abs() < 1e-6) {
        return Err("four numbers x, y, z, w that are not all 0".to_owned());
    }
    Ok(DataEdit::Turn(joint, turn))
}

fn parse_shift(joint: &str, text: &str) -> Result<DataEdit, String> {
    let joint = parse_joint_name(joint)
        .ok_or_else(|| "the number or name of a joint, as in shift.2".to_owned())?;
    Ok(DataEdit::Shift(joint, numbers(text)?))
}

fn parse_joint_name(text: &str) -> Option<JointName> {
    JointName::from_text(text).ok()
}

fn parse_bytes(place: &str, text: &str) -> Result<DataEdit, String> {
    let (buffer, offset) = place
        .split_once('.')
        .and_then(|(buffer, offset)| Some((buffer.parse().ok()?, offset.parse().ok()?)))
        .ok_or_else(|| "bytes.buffer.offset, as in bytes.0.48=0000803f".to_owned())?;
    let bytes = parse_hex(text).ok_or_else(|| "two hexadecimal digits for each byte".to_owned())?;
    Ok(DataEdit::Bytes { buffer, offset, bytes })
}

fn parse_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            let plain = pair.bytes().all(|digit| digit.is_ascii_hexdigit());
            plain.then(|| u8::from_str_radix(pair, 16).ok()).flatten()
        })
        .collect()
}

/// Formats numbers for a link, separated by commas.
pub fn with_commas(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(f32::to_string).collect();
    words.join(",")
}

/// Parses N numbers separated by commas, each within [`MAX_CELL_ABS`].
///
/// # Errors
/// The expected syntax, if the text is anything else.
pub fn numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let parsed: Option<Vec<f32>> = text.split(',').map(|number| number.parse().ok()).collect();
    parsed
        .and_then(|numbers| numbers.try_into().ok())
        .filter(|numbers: &[f32; N]| {
            numbers.iter().all(|n| n.is_finite() && n.abs() <= MAX_CELL_ABS)
        })
        .ok_or_else(|| format!("{N} numbers with commas between"))
}

/// Data edits in the body of a cell: `{ "weights.3" = "0,1,0,0" }`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataEdits(pub Vec<DataEdit>);

impl TryFrom<BTreeMap<String, String>> for DataEdits {
    type Error = Diagnostic;

    fn try_from(table: BTreeMap<String, String>) -> Result<Self, Diagnostic> {
        let edits = table.iter().map(|(key, text)| {
            let read = DataEdit::from_link(key, text).unwrap_or_else(|| {
                Err(
                    "weights.3, joints.3, inverse-bind.1, texel.1.3, bytes.0.48, turn.2 or shift.2 \
                     before the sign"
                        .to_owned(),
                )
            });
            read.map_err(|expected| Diagnostic {
                title: format!("“{key}={text}”: expected {expected}"),
                ..Diagnostic::expected(expected, format!("`{text}`"))
                    .help("write it as a link does: \"weights.3\" = \"0,1,0,0\"")
            })
        });
        edits.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        -MAX_CELL_ABS..MAX_CELL_ABS
    }

    fn edit() -> impl Strategy<Value = DataEdit> {
        let joint = || {
            let by_number = (0..=u16::MAX).prop_map(|index| JointName::from(JointIndex(index)));
            let named = |name: String| JointName::from_text(&name).expect("a name");
            prop_oneof![by_number, "[a-zA-Z_ ]{0,5}[a-z]".prop_map(named)]
        };
        let four = || prop::array::uniform4(number());
        prop_oneof![
            (any::<u32>(), four(), four()).prop_map(|(vertex, [a, b, c, d], [e, f, g, h])| {
                DataEdit::Weights(vertex, [a, b, c, d, e, f, g, h])
            }),
            (any::<u32>(), four()).prop_map(|(vertex, [a, b, c, d])| {
                DataEdit::Weights(vertex, [a, b, c, d, 0.0, 0.0, 0.0, 0.0])
            }),
            (any::<u32>(), prop::array::uniform8(joint()))
                .prop_map(|(vertex, joints)| DataEdit::Joints(vertex, joints)),
            (joint(), prop::array::uniform16(number()))
                .prop_map(|(joint, cells)| DataEdit::InverseBind(joint, cells)),
            (joint(), 0_usize..4, four())
                .prop_map(|(joint, column, texel)| DataEdit::Texel(joint, column, texel)),
            (joint(), prop::array::uniform4(1.0_f32..2.0))
                .prop_map(|(joint, turn)| DataEdit::Turn(joint, turn)),
            (joint(), prop::array::uniform3(number()))
                .prop_map(|(joint, by)| DataEdit::Shift(joint, by)),
            (any::<u32>(), any::<u32>(), prop::collection::vec(any::<u8>(), 1..9))
                .prop_map(|(buffer, offset, bytes)| DataEdit::Bytes { buffer, offset, bytes }),
        ]
    }

    proptest! {
        #[test]
        fn edits_survive_formatting_and_parsing(edit in edit()) {
            let again = DataEdit::from_link(&edit.key(), &edit.text());
            prop_assert_eq!(again, Some(Ok(edit)));
        }
    }
}
