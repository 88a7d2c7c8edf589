; The installer for Windows, by NSIS: for one person, without an administrator. `cargo xtask
; package` defines VERSION, KIB (size of all files), TREE (their folder), ICON, OUT and,
; where NSIS has more than one of its parts, TARGET.
; All that it writes is below one folder, the menu and HKCU; the uninstaller takes all of it
; away again, but not what the person did in the notebook (%APPDATA%\bindpose).

!ifdef TARGET
  Target ${TARGET}
!else
  Unicode true
!endif
!include MUI2.nsh

!define CLASSES "Software\Classes"
!define LISTED "Software\Microsoft\Windows\CurrentVersion\Uninstall\Bindpose"
!define OPENER '"$INSTDIR\bindpose-window.exe" "%1"'

Name "Bindpose"
OutFile "${OUT}"
; No page asks for another one: the uninstaller may remove the whole folder.
InstallDir "$LOCALAPPDATA\Programs\Bindpose"
RequestExecutionLevel user
SetCompressor /SOLID lzma
; In megabytes: what the program and its pages have in common is seen.
SetCompressorDictSize 64
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Bindpose"
VIAddVersionKey FileDescription "Installs Bindpose"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey LegalCopyright "The Bindpose authors, MIT or Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\bindpose-window.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open the notebook"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Windows looks at kinds of files anew.
!macro TellExplorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

; What files of a kind are called, and what opens them.
!macro Kind ID NAME
  WriteRegStr HKCU "${CLASSES}\${ID}" "" "${NAME}"
  WriteRegStr HKCU "${CLASSES}\${ID}\DefaultIcon" "" "$INSTDIR\bindpose-window.exe,0"
  WriteRegStr HKCU "${CLASSES}\${ID}\shell\open\command" "" '${OPENER}'
!macroend

; Among "Open with"; a double click goes on opening what it did.
!macro OfferFor ENDING ID
  WriteRegStr HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "${ID}" ""
!macroend

!macro NoLongerOfferFor ENDING ID
  DeleteRegValue HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "${ID}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}"
!macroend

; An ending that is ours: of a file that has no other program.
!macro Own ENDING ID
  ReadRegStr $0 HKCR "${ENDING}" ""
  StrCmp $0 "" 0 +2
  WriteRegStr HKCU "${CLASSES}\${ENDING}" "" "${ID}"
  !insertmacro OfferFor "${ENDING}" "${ID}"
!macroend

!macro NoLongerOwn ENDING ID
  ReadRegStr $0 HKCU "${CLASSES}\${ENDING}" ""
  StrCmp $0 "${ID}" 0 +2
  DeleteRegValue HKCU "${CLASSES}\${ENDING}" ""
  !insertmacro NoLongerOfferFor "${ENDING}" "${ID}"
!macroend

Section
  ; Windows keeps a program that runs.
  Delete "$INSTDIR\bindpose.exe"
  IfFileExists "$INSTDIR\bindpose.exe" 0 +3
    MessageBox MB_OK|MB_ICONSTOP "Bindpose is open. Close it, then start this again." /SD IDOK
    Abort
  ; What an older version had and this one has not.
  RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${TREE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateDirectory "$SMPROGRAMS\Bindpose"
  SetOutPath "$PROFILE"
  CreateShortcut "$SMPROGRAMS\Bindpose\Bindpose.lnk" "$INSTDIR\bindpose-window.exe"
  ; Instead of a change to PATH, which an installer can spoil: NSIS cuts a long one off.
  CreateShortcut "$SMPROGRAMS\Bindpose\Bindpose in a terminal.lnk" "$SYSDIR\cmd.exe" \
    '/k "set PATH=$INSTDIR;%PATH%&& bindpose --help"' "$INSTDIR\bindpose.exe"

  !insertmacro Kind "Bindpose.Course" "Bindpose course"
  !insertmacro Kind "Bindpose.Model" "3-D model"
  !insertmacro Own ".bindpose" "Bindpose.Course"
  !insertmacro Own ".ezm" "Bindpose.Model"
  !insertmacro OfferFor ".glb" "Bindpose.Model"
  !insertmacro OfferFor ".gltf" "Bindpose.Model"
  WriteRegStr HKCU "${CLASSES}\bindpose" "" "URL:Bindpose page"
  WriteRegStr HKCU "${CLASSES}\bindpose" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\bindpose\shell\open\command" "" '${OPENER}'

  WriteRegStr HKCU "${LISTED}" "DisplayName" "Bindpose"
  WriteRegStr HKCU "${LISTED}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${LISTED}" "DisplayIcon" "$INSTDIR\bindpose-window.exe"
  WriteRegStr HKCU "${LISTED}" "Publisher" "The Bindpose authors"
  WriteRegStr HKCU "${LISTED}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${LISTED}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${LISTED}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${LISTED}" "EstimatedSize" ${KIB}
  WriteRegDWORD HKCU "${LISTED}" "NoModify" 1
  WriteRegDWORD HKCU "${LISTED}" "NoRepair" 1
  !insertmacro TellExplorer
SectionEnd

Section "Uninstall"
  RMDir /r "$SMPROGRAMS\Bindpose"
  !insertmacro NoLongerOwn ".bindpose" "Bindpose.Course"
  !insertmacro NoLongerOwn ".ezm" "Bindpose.Model"
  !insertmacro NoLongerOfferFor ".glb" "Bindpose.Model"
  !insertmacro NoLongerOfferFor ".gltf" "Bindpose.Model"
  DeleteRegKey HKCU "${CLASSES}\Bindpose.Course"
  DeleteRegKey HKCU "${CLASSES}\Bindpose.Model"
  DeleteRegKey HKCU "${CLASSES}\bindpose"
  DeleteRegKey HKCU "${LISTED}"
  !insertmacro TellExplorer
  RMDir /r "$INSTDIR"
SectionEnd
