//! A page of the notebook as an address in a browser:
//! `…/20-bind-pose/#step=and-carry-it-back&nod=0.5`. All after the lesson's
//! folder is the fragment, which no server sees; a site that is one file has the
//! lesson there too, as `#lesson=bind-pose&step=…`.

/// What the program's own links begin with.
pub(super) const WEB_SCHEME: &str = "bindpose://";

/// What stands in the address of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress {
    /// Slug, number or folder of the lesson, encoded as in links.
    pub lesson: String,
    /// The rest, without `#`: `step=…` first, if a step is named, then the values
    /// of the link.
    pub fragment: String,
}

impl WebAddress {
    /// The address of what `link` leads to; `None` for what is no link.
    pub fn of_link(link: &str) -> Option<Self> {
        let rest = link.strip_prefix(WEB_SCHEME)?;
        let (path, values) = rest.split_once('?').unwrap_or((rest, ""));
        let (lesson, step) = path.split_once('/').unwrap_or((path, ""));
        let step = Some(step.trim_end_matches('/')).filter(|step| !step.is_empty());
        let step = step.map(|step| format!("step={step}"));
        let values = Some(values.to_owned()).filter(|values| !values.is_empty());
        let parts: Vec<String> = step.into_iter().chain(values).collect();
        (!lesson.is_empty()).then(|| Self { lesson: lesson.to_owned(), fragment: parts.join("&") })
    }

    /// The link to what stands at an address. `folder` is the last folder of its
    /// path, `fragment` what follows the `#`. A lesson in the fragment goes before
    /// the folder; `None` where neither names one.
    pub fn link(folder: &str, fragment: &str) -> Option<String> {
        let mut pairs: Vec<&str> = fragment.split('&').filter(|pair| !pair.is_empty()).collect();
        let mut taken = |name: &str| {
            let first = pairs.first()?.strip_prefix(name)?.strip_prefix('=')?;
            pairs.remove(0);
            Some(first)
        };
        let lesson = taken("lesson").unwrap_or(folder);
        let step = taken("step").unwrap_or_default();
        if lesson.is_empty() {
            return None;
        }
        let mut link = format!("{WEB_SCHEME}{lesson}");
        for (mark, part) in [('/', step), ('?', &*pairs.join("&"))] {
            if !part.is_empty() {
                link.push(mark);
                link.push_str(part);
            }
        }
        Some(link)
    }

    /// The fragment of a site that is one file.
    pub fn whole_fragment(&self) -> String {
        let lesson = format!("lesson={}", self.lesson);
        if self.fragment.is_empty() { lesson } else { format!("{lesson}&{}", self.fragment) }
    }

    /// Do both lead to the same step?
    pub fn same_step(&self, other: &Self) -> bool {
        let step = |address: &Self| {
            let first = address.fragment.split('&').next().unwrap_or_default();
            first.strip_prefix("step=").unwrap_or_default().to_owned()
        };
        self.lesson == other.lesson && step(self) == step(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_addresses_lead_to_each_other() {
        for (link, lesson, fragment) in [
            ("bindpose://bind-pose", "bind-pose", ""),
            ("bindpose://bind-pose/at-rest", "bind-pose", "step=at-rest"),
            (
                "bindpose://bone-grid/half?b0=0.5&camera.main=1,2",
                "bone-grid",
                "step=half&b0=0.5&camera.main=1,2",
            ),
            ("bindpose://bone-grid?b0=0.5", "bone-grid", "b0=0.5"),
        ] {
            let address = WebAddress::of_link(link).unwrap();
            assert_eq!((&*address.lesson, &*address.fragment), (lesson, fragment));
            assert_eq!(WebAddress::link(lesson, fragment).unwrap(), link);
            // In one file, whatever its folder is called.
            assert_eq!(WebAddress::link("usb", &address.whole_fragment()).unwrap(), link);
        }
    }

    #[test]
    fn a_value_that_is_called_as_a_part_of_the_address_stays_a_value() {
        let link = "bindpose://a/b?lesson=2&step=3";
        let address = WebAddress::of_link(link).unwrap();
        assert_eq!(address.fragment, "step=b&lesson=2&step=3");
        assert_eq!(WebAddress::link("a", &address.fragment).unwrap(), link);
    }

    #[test]
    fn what_leads_nowhere_is_no_address() {
        assert_eq!(WebAddress::of_link("https://example.org"), None);
        assert_eq!(WebAddress::of_link("bindpose://"), None);
        assert_eq!(WebAddress::link("", "b0=1"), None);
        assert_eq!(WebAddress::link("", ""), None);
    }

    #[test]
    fn values_do_not_make_another_step() {
        let of = |link| WebAddress::of_link(link).unwrap();
        assert!(of("bindpose://a/b?x=1").same_step(&of("bindpose://a/b")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://a/c")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://c/b")));
        assert!(!of("bindpose://a?x=1").same_step(&of("bindpose://a/b")));
    }
}
