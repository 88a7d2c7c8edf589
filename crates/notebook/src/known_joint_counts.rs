//! How many joints characters have that a reader may know, to hold against what
//! fits.

use std::sync::OnceLock;

use bindpose_asset::WHALE_JOINTS;

/// A character and its skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// For people.
    pub name: &'static str,
    /// Joints of its skin.
    pub joints: u32,
    /// How the number is known.
    pub source: JointCountSource,
}

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointCountSource {
    /// A rig of this notebook.
    Here,
    /// Counted in the glTF sample model of that name.
    Counted,
    /// What a tool or a standard says of all its characters.
    Documented,
    /// Of the usual size of its kind; not one character.
    Typical,
}

/// From few joints to many.
pub fn characters() -> &'static [Character] {
    static ALL: OnceLock<Vec<Character>> = OnceLock::new();
    ALL.get_or_init(|| {
        let known = |name, joints, source| Character { name, joints, source };
        let mut all = vec![
            // The required bones: hips, spine, head, and three of each limb.
            known("smallest VRM or Unity humanoid", 15, JointCountSource::Documented),
            known("CesiumMan", 19, JointCountSource::Counted),
            known("Fox", 24, JointCountSource::Counted),
            known("full VRM humanoid", 55, JointCountSource::Documented),
            known("Mixamo character with fingers", 65, JointCountSource::Documented),
            known("body with hands and face", 150, JointCountSource::Typical),
            known("film-like face and body", 300, JointCountSource::Typical),
            known("the whale of this notebook", WHALE_JOINTS as u32, JointCountSource::Here),
            known("centipede(300) of this notebook", 300, JointCountSource::Here),
        ];
        all.sort_by_key(|character| character.joints);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rigs_of_the_notebook_are_counted_and_all_are_in_order() {
        let all = characters();
        let here: Vec<u32> = all
            .iter()
            .filter(|character| character.source == JointCountSource::Here)
            .map(|character| character.joints)
            .collect();
        assert_eq!(here, [21, 300]);
        assert!(all.is_sorted_by_key(|character| character.joints));
    }
}
