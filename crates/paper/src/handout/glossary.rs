//! The terms that the text explains, at its end.

use std::fmt::Write as _;

use super::html::escaped;
use super::writer::HandoutWriter;

impl HandoutWriter<'_> {
    /// Notes that the text names a term; false when the glossary has none of that
    /// name.
    pub(super) fn use_term(&mut self, slug: &str) -> bool {
        let known = self.set.term(slug).is_some();
        if known {
            self.terms.insert(slug.to_owned());
        }
        known
    }

    /// Writes the entries of all terms that are named, in the glossary's order, and
    /// of those that these name.
    pub(super) fn glossary(&mut self, out: &mut String) {
        // An entry may name others.
        let mut entries = Vec::new();
        let mut written = 0;
        while written < self.terms.len() {
            written = self.terms.len();
            entries = self.entries();
        }
        if entries.is_empty() {
            return;
        }
        out.push_str("<section class=\"end\" id=\"glossary\">\n<h2>Glossary</h2>\n<dl>\n");
        for entry in entries {
            out.push_str(&entry);
        }
        out.push_str("</dl>\n</section>\n");
    }

    fn entries(&mut self) -> Vec<String> {
        let set = self.set;
        let named = self.terms.clone();
        let terms = set.glossary.iter().filter(|term| named.contains(&term.slug));
        let entry = |term: &bindpose_lesson::Term| {
            let mut out = String::new();
            let (slug, title) = (&term.slug, escaped(&term.title));
            let _ = write!(out, "<dt id=\"term={slug}\">{title}</dt>\n<dd>");
            self.blocks(&mut out, &term.blocks, None);
            out.push_str("</dd>\n");
            out
        };
        terms.map(entry).collect()
    }
}
