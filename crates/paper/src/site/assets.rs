//! The assets of a site. Their names contain a hash of their content, so that browsers may cache
//! them forever.

use std::collections::BTreeMap;
use std::hash::Hasher as _;

use siphasher::sip::SipHasher13;

use super::SiteFile;

/// Returns a hash as 16 hexadecimal digits, the same in every build.
pub(super) fn content_hash(bytes: &[u8]) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

#[derive(Default)]
pub(super) struct Assets {
    /// Contents by path.
    files: BTreeMap<String, Vec<u8>>,
    /// Paths of the assets that are cached for use without a network.
    offline_paths: Vec<String>,
}

impl Assets {
    /// Adds an asset that is cached for use without a network. Returns its path, such as
    /// `assets/name-0123456789ab.ending`.
    pub(super) fn add(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let path = self.add_online_only(name, bytes);
        if !self.offline_paths.contains(&path) {
            self.offline_paths.push(path.clone());
        }
        path
    }

    /// Adds an asset that is available only with a network, such as a picture. Returns its path.
    pub(super) fn add_online_only(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let path = format!("assets/{stem}-{}.{ending}", &content_hash(&bytes)[..12]);
        self.files.insert(path.clone(), bytes);
        path
    }

    pub(super) fn offline_paths(&self) -> &[String] {
        &self.offline_paths
    }

    pub(super) fn into_files(self) -> impl Iterator<Item = SiteFile> {
        self.files.into_iter().map(|(path, bytes)| SiteFile { path, bytes })
    }
}
