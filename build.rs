//! What Windows shows of the programs: their icon, and name and version, by which its
//! firewall asks whether `bindpose serve` may be reached.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=assets/icon/bindpose.ico");
    // Said by cargo of the system that the program is for, not of this one.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        let mut resource = winresource::WindowsResource::new();
        resource.set_icon("assets/icon/bindpose.ico");
        resource.set("ProductName", "Bindpose").set("FileDescription", "Bindpose");
        resource.compile()?;
    }
    Ok(())
}
