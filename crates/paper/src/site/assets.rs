//! Files whose names are that of their content, so that browsers may keep them for
//! good.

use std::collections::BTreeMap;
use std::hash::Hasher as _;

use siphasher::sip::SipHasher13;

use super::file::SiteFile;

/// The folder of them in a site.
pub(super) const FOLDER: &str = "assets/";

/// The hash of bytes, the same in every build: 16 hexadecimal digits.
pub(super) fn hash(bytes: &[u8]) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// The assets of a site, by path.
#[derive(Default)]
pub(super) struct Assets {
    files: BTreeMap<String, Vec<u8>>,
    /// Paths of those that the notebook needs, without pictures of texts.
    kept: Vec<String>,
}

impl Assets {
    /// Adds what the notebook needs; the path, `assets/name-0123456789ab.ending`.
    pub(super) fn add(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let path = self.put(name, bytes);
        if !self.kept.contains(&path) {
            self.kept.push(path.clone());
        }
        path
    }

    /// Adds a picture of a text; its path.
    pub(super) fn add_picture(&mut self, name: &str, bytes: &[u8]) -> String {
        self.put(name, bytes.to_vec())
    }

    /// Paths of all that is kept to be used without the network.
    pub(super) fn kept(&self) -> &[String] {
        &self.kept
    }

    pub(super) fn into_files(self) -> impl Iterator<Item = SiteFile> {
        let files = self.files.into_iter();
        files.map(|(path, bytes)| SiteFile { path, bytes })
    }

    fn put(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let path = format!("{FOLDER}{stem}-{}.{ending}", &hash(&bytes)[..12]);
        self.files.insert(path.clone(), bytes);
        path
    }
}
