cask "bindpose" do
  version "@VERSION@"
  sha256 "@SHA256@"

  url "@ADDRESS@"
  name "Bindpose"
  desc "Interactive notebook that teaches vertex skinning"
  homepage "@HOME@"

  depends_on arch: :arm64
  depends_on macos: ">= :big_sur"

  app "@FOLDER@/Bindpose.app"
  binary "#{appdir}/Bindpose.app/Contents/MacOS/bindpose"

  zap trash: "~/Library/Application Support/bindpose"
end
