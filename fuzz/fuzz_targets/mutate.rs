//! Changes of a GLB that leave it one: of its JSON or of its numbers, with the
//! lengths put right. Bytes changed blindly rarely open.

use libfuzzer_sys::fuzzer_mutate;

const NUMBERS: [&str; 12] = [
    "0", "1", "2", "3", "4", "5", "-1", "0.5", "-0.25", "255", "1e20", "1e-20",
];
const FLOATS: [f32; 12] = [
    0.0, 1.0, -1.0, 0.5, 0.25, 2.0, 1e-7, 1e7, 1e-20, 1e20, 1e-38, 3e38,
];

/// Changes the first `size` of `data`, which has room for `most`; answers with
/// the new size. The seed decides all.
pub fn glb(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut dice = Dice(seed.into());
    let Some((mut json, mut bin)) = taken_apart(&data[..size]) else {
        return fuzzer_mutate(data, size, most);
    };
    match dice.below(8) {
        0 => return fuzzer_mutate(data, size, most),
        1 | 2 => mutate(&mut json, most),
        3 | 4 => change_number(&mut json, &mut dice),
        5 => mutate(&mut bin, most),
        _ => change_float(&mut bin, &mut dice),
    }
    let file = put_together(json, bin);
    match data.get_mut(..file.len()).filter(|_| file.len() <= most) {
        Some(room) => {
            room.copy_from_slice(&file);
            file.len()
        }
        None => fuzzer_mutate(data, size, most),
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % end.max(1)
    }
}

fn taken_apart(file: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let word = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let (b"glTF", b"JSON") = (file.get(..4)?, file.get(16..20)?) else {
        return None;
    };
    let end = 20 + word(12)? as usize;
    let json = file.get(20..end)?.trim_ascii_end().to_vec();
    Some((json, file.get(end + 8..).unwrap_or_default().to_vec()))
}

fn put_together(mut json: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    let length = 28 + json.len() + bin.len();
    file.extend_from_slice(&(length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bin)] {
        file.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        file.extend_from_slice(kind);
        file.extend(chunk);
    }
    file
}

fn mutate(bytes: &mut Vec<u8>, most: usize) {
    let size = bytes.len();
    bytes.resize((size + 256).min(most.max(size)), 0);
    let room = bytes.len();
    let size = fuzzer_mutate(bytes, size, room);
    bytes.truncate(size);
}

/// Puts another number in the place of one in JSON.
fn change_number(json: &mut Vec<u8>, dice: &mut Dice) {
    let in_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let starts = (1..json.len()).filter(|&at| {
        (json[at].is_ascii_digit() || json[at] == b'-') && b"[,: ".contains(&json[at - 1])
    });
    let starts: Vec<usize> = starts.collect();
    let Some(&start) = starts.get(dice.below(starts.len())) else {
        return;
    };
    let length = json[start..]
        .iter()
        .take_while(|&&byte| in_number(byte))
        .count();
    let number = NUMBERS[dice.below(NUMBERS.len())].bytes();
    json.splice(start..start + length, number);
}

/// Puts another float, one of elsewhere, or a sum of two there, in the place of
/// four bytes.
fn change_float(bin: &mut [u8], dice: &mut Dice) {
    let words = bin.len() / 4;
    if words == 0 {
        return;
    }
    let (at, other) = (4 * dice.below(words), 4 * dice.below(words));
    let read = |at: usize| f32::from_le_bytes([bin[at], bin[at + 1], bin[at + 2], bin[at + 3]]);
    let value = match dice.below(4) {
        0 => read(other),
        1 => read(at) + read(other),
        2 => -read(at),
        _ => FLOATS[dice.below(FLOATS.len())],
    };
    bin[at..at + 4].copy_from_slice(&value.to_le_bytes());
}
