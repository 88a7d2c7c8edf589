//! Names of lessons in addresses. Depends on nothing, because `xtask` includes this file.

/// Returns the name of a lesson in addresses of a site and in names of files: `20-bind-pose`
/// for the folder `020-bind-pose`. Leading zeros of numbers with three or more digits only
/// sort folders.
pub(crate) fn site_folder(folder: &str) -> &str {
    let digit_count = folder.bytes().take_while(u8::is_ascii_digit).count();
    let zero_count = folder.bytes().take_while(|&byte| byte == b'0').count();
    &folder[zero_count.min(digit_count.saturating_sub(2))..]
}
