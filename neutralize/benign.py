"""Phrases with a hyphen in which a common word is plain English: mined, not invented.

Made by `python -m benchmarks.benign_phrases`, which says how. Do not edit.
"""

from __future__ import annotations

from neutralize.words import listed

NOTE = "2026-11-30: in 3 packages of 803 at least, without 15029 names of packages"
PHRASES = listed(
    """
    accept-encoding accept-language accept-line accept-ranges access-control access-file account-level
    action-handlers add-between add-hook add-in add-join add-method add-music add-new add-on add-point add-quotable
    add-score add-stem add-text address-list adjust-array agent-errors alias-type align-content align-items
    align-on-other align-self all-caps all-elements all-equal all-float all-in-one all-integers all-ones all-scroll
    all-text all-zero all-zeroes all-zeros allow-all allow-end allow-list always-copy always-empty and-map
    angle-addr annotation-body annotation-default annotation-items annotation-line app-engine append-child
    append-file append-map append-only append-reverse apply-durations apply-imports apply-templates arch-release
    arch-tag archive-entry argument-less array-access array-contents array-copy array-displacement array-equal
    array-fill array-for-each array-in-bounds array-length array-likes array-list array-map array-rank array-set
    array-shape array-slice array-type arrow-head arrow-length ascii-encoded ascii-only ascii-printable ascii-range
    ascii-subset assert-sequence atom-literals attempt-all attribute-access attribute-derive attribute-descriptor
    attribute-references attribute-set attribute-value author-email auto-added auto-assign auto-commit auto-complete
    auto-completion auto-converted auto-correct auto-create auto-created auto-creates auto-creating auto-delete
    auto-deleted auto-deleting auto-derived auto-detect auto-detected auto-detecting auto-detection auto-detector
    auto-detects auto-discovery auto-enable auto-format auto-generate auto-generated auto-generates auto-generating
    auto-generation auto-inserted auto-load auto-loaded auto-loading auto-numbered auto-numbering auto-proxy
    auto-registered auto-reload auto-scaling auto-select auto-selected auto-updated auto-updating auto-wrapping
    avoid-column avoid-page avoid-scripts await-for axis-aligned back-edges back-end back-ends back-off
    back-reference back-references back-to-back back-up badly-formed badly-spelled balanced-regex bare-bones
    bare-metal base-char base-class base-files base-release base-string base-type basic-distance batch-mode
    beam-exceptions beam-segments beat-structure begin-for-syntax beginning-of-file beginning-of-line best-case
    best-guess best-match best-matching big-data bin-center bin-count bind-alias bind-property bind-type
    binding-offset bit-and bit-by-bit bit-count bit-field bit-fields bit-flags bit-for-bit bit-level bit-mask
    bit-masks bit-not bit-or bit-packing bit-pattern bit-position bit-string bit-vector bit-wise black-box
    blank-line block-buffer block-comment block-content block-header block-level block-line block-list block-nodes
    block-size block-statement block-step body-encode body-less body-part body-type boiler-plate book-keeping
    boolean-or-number boolean-or-symbol boolean-valued border-block border-bottom border-box border-color
    border-image border-inline border-left border-right border-spacing border-top bottom-left bottom-level
    bottom-most bottom-right bottom-to-top bottom-up bound-details bounds-check bounds-checking bounds-error
    box-decoration box-shadow box-sizing box-snap brace-block braced-string brain-dead brand-new break-after
    break-alignment break-before break-enabled break-inside break-thread break-word bright-black broken-down
    buffer-enabled buffer-info buffer-list buffer-name buffer-size buffer-string buffer-substring bug-fix bug-report
    build-date build-env build-list build-number build-path build-stage build-string build-system build-time
    build-up build-vector busy-wait busy-waiting by-position by-products by-value byte-code byte-compilation
    byte-compile byte-compiled byte-compiles byte-compiling byte-for-byte byte-iterator byte-offset byte-order
    byte-position byte-range byte-ready byte-size byte-stream byte-string byte-strings byte-swap byte-swapped
    byte-swapping byte-to-position byte-to-string byte-wise bytes-append bytes-convert bytes-converter bytes-copy
    bytes-fill bytes-join bytes-length bytes-set cache-breaking cache-control cache-line cache-miss cache-sized
    call-back call-backs call-effect call-graph call-method call-process call-stack call-template call-time
    callable-types caller-defined caller-provided caller-supplied car-or-identity car-safe carry-out case-block
    case-by-case case-find case-fold case-folded case-folding case-guard case-preserving case-value cast-type
    cat-file catch-all category-count category-table cell-error center-align center-aligned center-column
    center-left center-right change-class change-global channel-get channel-put char-after char-before char-blank
    char-code char-equal char-in char-int char-name char-ready char-set char-syntax char-to-string cheap-list
    check-for-annotation check-for-replacement check-in check-out check-slice check-type checked-hash checked-out
    cherry-pick cherry-picked cherry-picking child-process child-type choose-by chunk-encoded chunk-extension
    chunk-extensions chunk-size chunked-encoded circled-tip class-body class-info class-level class-member
    class-method class-name class-of class-private class-scoped class-seal class-segment class-unseal class-wide
    clean-up cleaned-up clear-input clear-output clear-screen clear-string clear-text client-code client-generated
    client-key client-level client-provided client-server client-side client-supplied clip-edges clip-path clip-rule
    close-delimiter close-font close-port close-quote closed-form closed-source closing-brace cloud-native
    cluster-level cluster-mode code-base code-block code-char code-generation code-point collection-path
    collector-for color-adjust color-burn color-distance color-handling color-panel color-scheme column-count
    column-fill column-gap column-lines column-major column-reverse column-rule column-wise combine-in combine-out
    command-body command-by-command command-event command-in-brace command-line command-lines command-name
    command-remapping comment-multi comment-multiline comment-only comment-single commented-datum commented-form
    commented-out comments-and-spaces comments-block comments-star commit-tree common-account common-session
    commonly-used compare-and-swap compare-strings compile-file compile-syntax compile-time compiled-expression
    compiled-function compiled-in compiler-defined compiler-flags compiler-generated compiler-open compiler-provided
    complete-path completely-expanded completing-read component-less component-wise compute-motion compute-restarts
    computed-field connection-class connection-close connection-level connection-mode connection-pooling
    constant-folded constant-time contact-email container-name container-type content-box content-disposition
    content-encoding content-language content-length content-model content-range content-type context-free
    context-info context-management context-manager context-managers context-menu control-error control-flow
    control-name control-points convert-assignment convert-stream cookie-attribute cookie-attributes copy-and-paste
    copy-file copy-list copy-marker copy-of copy-on-write copy-paste copy-pasted copy-pasting copy-port
    copy-sequence copy-structure copy-symbol copy-tree corner-cases count-if count-list counter-claims counter-reset
    counter-set country-code create-only create-struct create-user created-by creating-processes crisp-edges
    cross-check cross-claim cross-claims cross-class cross-compilation cross-compile cross-compiled cross-compiles
    cross-compiling cross-device cross-domain cross-group cross-host cross-module cross-origin cross-platform
    cross-process cross-product cross-reference cross-referenced cross-references cross-staff cross-thread
    cross-version cross-year crypto-common current-buffer current-column current-compile current-directory
    current-drive current-future current-inspector current-language current-line current-load current-locale
    current-logger current-message current-module current-print current-seconds current-thread current-time
    currently-available currently-installed currently-running currently-selected custom-regex custom-write
    customer-managed customer-owned customer-provided cut-down cut-off cut-slice dash-period dash-separated
    dashed-edge data-channel data-descriptor data-file data-files data-flow data-only data-points data-structure
    data-type date-day date-hour date-list date-month date-parse date-second date-time date-value date-year
    day-first day-of-month day-of-week day-to-day dead-letter debug-compiled debug-disable debug-enable debug-info
    debug-level debug-options debug-set decimal-format decode-char decode-float decode-time deep-copied deep-copy
    deep-copying deeply-nested default-direction default-flag default-groups default-handler default-managed
    default-value define-category define-fonts define-for-syntax define-inlinable define-key define-library
    define-logger define-module define-once define-private define-public define-session define-signature
    define-skeleton define-struct define-syntax define-syntaxes define-unit define-values delete-all delete-char
    delete-directory delete-field delete-file delete-frame delete-if delete-on-close delete-package delete-process
    delete-region delete-slice delta-position depth-first describe-object describe-vector destructuring-bind
    develop-installed developer-facing developer-provided device-level diagram-formatting dict-clear dict-copy
    dict-count dict-empty dict-for-each dict-keys dict-map dict-mutable dict-remove dict-set dict-update dict-values
    diff-tree diff-window digit-char digit-names direct-call direct-subclasses direction-source directory-exists
    directory-files directory-list directory-path directory-stream discard-input disk-full display-error
    display-lines display-music display-name display-only display-to-file disposition-type divide-by-zero
    divide-integer documentation-property domain-literal domain-match domain-matches dot-atom dot-count
    dot-delimited dot-notation dot-separated dot-text dotted-decimal dotted-list double-byte double-check
    double-checked double-circle double-click double-clicked double-clicking double-clicks double-dash double-double
    double-error double-escape double-float double-free double-hash double-indexed double-precision double-quote
    double-quoted double-quotes double-quoting double-release double-scanning double-to-string double-word
    double-wrapping draw-circle draw-line draw-string drive-letter drop-down drop-in drop-prefix drop-right
    drop-shadow dry-run duck-type duck-typed duck-types duck-typing dump-colors dump-face dump-source duration-log
    duration-of-note duration-or-music duration-visual dynamic-call dynamic-features dynamic-link dynamic-object
    dynamic-partial dynamic-place dynamic-pointer dynamic-require dynamic-send dynamic-state dynamic-unlink
    dynamic-wind each-block each-index each-integer each-line each-other each-subclass early-exit early-hints
    early-return easy-to-read echo-stream edge-case edge-cases edge-height edge-text editable-mode egg-info egg-link
    eight-bit eight-byte element-by-element element-setter element-wise empty-cells empty-sequence empty-stream
    empty-string encode-char encode-time encoded-text encoded-word end-delimiting end-entity end-line end-mark
    end-of-archive end-of-block end-of-file end-of-life end-of-line end-of-list end-of-multipart end-of-options
    end-of-quote end-of-stream end-of-string end-of-tag end-part end-point end-points end-start end-to-end end-up
    end-user end-users entity-body entity-header entity-opening entity-tag entry-point entry-points enum-body
    enum-member environment-variable environment-variables equal-length equal-sized error-checking error-code
    error-event error-free error-handling error-in-thread error-message error-reporting error-stream error-thread
    error-to-string escapable-string escape-sequence event-cause event-handler event-handling event-listener
    event-loop event-stream event-time exact-floor exact-integer exact-match exact-round except-in except-out
    exception-accessor exception-handling exception-kind exception-type execute-effect execution-context
    execution-time exit-handler expand-limit expand-once expand-syntax expected-case export-path export-syntax
    extended-attribute extended-char extra-expanded extra-less extra-offset face-font fail-fast fail-if fail-safe
    fall-back fall-through false-or fan-out far-left far-right fast-copy fast-export fast-forward fast-forwarding
    fast-forwards fast-path feature-rich fetch-pack field-beginning field-bound field-content field-end field-level
    field-list field-name field-names field-string field-value file-attributes file-author file-encoding file-error
    file-exists file-handles file-hash file-info file-length file-level file-modes file-names file-object file-path
    file-port file-position file-reading file-size file-stream file-system file-type fill-box fill-break fill-color
    fill-column fill-image fill-in fill-line fill-origin fill-pointer fill-position fill-repeat fill-rule fill-size
    fill-up filled-box filled-in filling-out filter-block filter-map filter-not filter-out final-letter
    final-letters find-all find-class find-files find-font find-if find-index find-integer find-key find-last
    find-links find-method find-package find-restart find-symbol find-tail fine-grained fine-tune fine-tuned
    fine-tuning finer-grained finish-output first-class first-level first-line first-member first-name first-out
    first-party first-pass first-setter first-time five-item fix-up fixed-length fixed-offset fixed-point fixed-size
    fixed-sized fixed-up flag-count flat-flag flat-layout flat-positions flex-direction flex-end flex-flow flex-grow
    flex-start flex-wrap float-defer float-digits float-number float-offset float-precision float-reference
    float-sign float-time floating-point flow-collection flow-control flow-into flow-mapping flow-nodes
    flow-sequence fluid-bound fluid-set fluid-unset fold-down fold-files fold-right follow-up following-char
    font-encoding font-family font-features font-get font-info font-name font-palette font-put font-series
    font-shape font-size font-weight for-all for-each for-label for-loop for-meta for-syntax for-template force-cast
    force-end force-output force-reload forced-spacing form-data form-encode form-encoded form-encoding format-patch
    format-time forward-char forward-comment forward-line forward-point forward-reference forward-word four-byte
    four-digit four-function frame-address frame-arguments frame-focus frame-list frame-parameter frame-parameters
    frame-source free-form free-memory free-of-charge free-thinking free-threaded free-threading fresh-line
    freshly-created front-end front-ends full-featured full-form full-path full-precision full-screen full-sort
    full-text fully-featured fully-formed fully-resolved function-after function-arguments function-before
    function-by-function function-call function-chain function-equal function-level function-local function-name
    function-parameters function-plain function-scoped function-start function-wrap future-proof future-proofs
    futures-enabled fuzzy-matching gap-console gap-count gap-position gap-size general-align general-case
    general-column generator-iterator generic-array generic-function generic-set generic-value get-buffer get-byte
    get-char get-checker get-field get-float get-global get-int get-key get-long get-process get-projector
    get-properties get-property get-setting get-step get-string get-time get-word global-job globally-installed
    globally-managed globally-unique grammar-line grammar-rules grammar-tag greater-than grid-area grid-column
    grid-row grid-template group-by group-end group-list group-name group-read group-write grow-direction
    hairy-looking half-close half-closed half-open half-points half-precision half-way half-worked hand-edited
    hand-in-hand hand-off hand-rolled handler-bind handler-case hard-code hard-coded hard-codes hard-coding
    hard-fail hard-float hard-light hard-linked hard-to-find hard-to-read hard-wired hash-checking hash-clear
    hash-comparer hash-copy hash-count hash-empty hash-equal hash-fold hash-for-each hash-int hash-keys hash-map
    hash-only hash-remove hash-seed hash-set hash-table hash-update hash-values hash-weak hat-patched head-direction
    head-setter head-slice header-encode header-field header-label header-name header-only header-to-file
    header-type headers-only heading-text heavy-weight height-limit help-commands help-compiler help-formats
    help-formatting help-printing here-string high-bit high-level high-numbered high-order high-precision
    high-quality high-speed high-water higher-level higher-order home-page hook-empty host-name host-port hot-path
    house-keeping human-friendly ideal-distances if-block if-else if-empty if-expression if-feature if-match if-not
    if-range if-statement if-zero image-rendering image-size in-band in-between in-bounds in-bytes in-case
    in-comment in-cycle in-depth in-dict in-directory in-flight in-hash in-indexed in-line in-lines in-list
    in-memory in-order in-package in-parallel in-port in-process in-producer in-progress in-range in-scope
    in-sequences in-set in-slice in-source in-stream in-string in-sync in-syntax in-transit in-tree in-value
    in-vector index-cell index-of index-only index-servers inline-block inline-bold inline-comment inline-flex
    inline-only inline-size inline-sizing inline-table inner-most input-port input-stream insert-byte insert-char
    insert-child insert-left insert-ordered insert-right inside-template inspect-table inspect-tree install-base
    install-data install-headers install-scripts instance-level int-only integer-in integer-length integer-only
    integer-valued inter-handler inter-line inter-manager inter-module inter-part inter-process inter-record
    inter-word interface-extension internal-child internal-only interval-bound interval-center interval-contains
    interval-empty interval-end interval-index interval-length interval-scale interval-start interval-union
    into-array invalid-operation invalid-parameter invoke-debugger invoke-restart invoke-unit json-encodable
    json-encoded json-file json-object json-serializable json-string jump-starting just-in-time keep-alive
    keep-alives kernel-generated key-binding key-crawler key-description key-function key-generation key-list
    key-name key-pair key-press key-release key-sequence key-value key-values key-word kind-of language-detection
    large-scale last-access last-error last-in last-index last-line last-pair last-resort last-setter last-wins
    lazy-cat lazy-importable lazy-load lazy-loaded lazy-loading leading-trim leaf-list leaf-to-root ledger-extra
    ledger-positions left-align left-aligned left-arrow left-brace left-column left-hand left-items left-most
    left-over left-pointing left-right left-shift left-side left-strip left-to-right legacy-resolver
    length-delimited length-limited length-one length-prefixed less-than less-useful letter-spacing license-file
    license-files life-cycle life-time light-weight lighter-weight lighting-color line-break line-breaks
    line-buffered line-by-line line-count line-counting line-ending line-grid line-height line-length line-matching
    line-number line-positions line-separated line-snap line-statement line-through line-wise line-wrapped
    line-wrapping linear-time link-exists link-local link-time linked-list linked-to list-container list-copy
    list-dict list-fonts list-head list-index list-item list-join list-length list-prefix list-separator list-set
    list-table list-tail list-type list-update list-valued literal-string live-script load-average load-balance
    load-balancer load-balancing load-compiled load-extension load-file load-store load-time local-define
    local-expand local-file local-only local-part local-remove local-require local-set locale-info locale-less
    locally-defined locally-found lock-buffer lock-free lock-step lock-version log-debug log-error log-info
    log-level log-message log-messages log-space log-transform log-warning logged-in logger-level logger-name
    long-description long-float long-form long-lasting long-lived long-option long-poll long-running long-standing
    long-term long-text long-winded longer-term look-ahead look-behind look-up looked-up loop-back loop-body
    loop-finish low-impact low-level low-memory low-order low-value low-water lower-alpha lower-case lower-cased
    lower-cases lower-frame lower-left lower-level lower-right machine-executable machine-generated machine-instance
    machine-level machine-readable machine-type machine-version mailing-list main-fun main-thread major-minor
    major-only major-version make-array make-bytes make-channel make-char make-date make-directory make-env
    make-exception make-fluid make-generic make-hash make-hook make-inspector make-instance make-list make-logger
    make-marker make-method make-module make-music make-object make-package make-parameter make-pipe make-promise
    make-repeat make-scale make-sequence make-setting make-skipped make-stack make-string make-symbol
    make-translator make-variable make-vector many-to-one many-values map-find map-in-order map-index map-integers
    map-into map-reduce map-sum map-value mark-marker marked-up-title marker-buffer marker-end marker-pattern
    marker-position marker-segment marker-side marker-start mask-border mask-clip mask-field mask-image mask-mode
    mask-origin mask-position mask-repeat mask-size mask-type match-all match-beginning match-data match-define
    match-end match-parent matrix-vector max-age max-char max-elements max-forwards max-height max-key max-keys
    max-length max-lines max-size measure-count measure-length media-range media-type media-types member-if
    memory-info memory-limit memory-mapped memory-mapping merge-base merge-details merge-input message-box
    message-or-box message-string meta-body meta-call meta-class meta-classes meta-data meta-language meta-rule
    meta-schema meta-schemas method-combination method-in-interface method-level method-wrappers micro-language
    micro-version min-elements min-fresh min-heap min-height min-key min-length mini-app mini-language minor-version
    miss-detection missing-count missing-file mix-in mixed-case mixed-in mixed-mode mixed-type mode-checking
    model-field model-fields module-add module-binder module-bound module-clear module-define module-defined
    module-export module-for-each module-global module-kind module-level module-map module-name module-observe
    module-path module-predefined module-remove module-replace module-scoped module-search module-set
    module-submodules module-transformer module-unobserve module-uses module-variable module-version module-wide
    modules-in-packages moment-min moment-pair months-adjusted more-or-less most-derived most-likely most-recent
    most-used mouse-clicks mouse-position move-assign move-only move-to-column multi-bit multi-block multi-byte
    multi-bytes multi-call multi-channel multi-chars multi-column multi-command multi-commands multi-comment
    multi-component multi-database multi-dict multi-digit multi-element multi-exception multi-file multi-flag
    multi-fork multi-format multi-homed multi-host multi-item multi-key multi-language multi-level multi-line
    multi-module multi-output multi-package multi-page multi-part multi-pass multi-phase multi-platform multi-prime
    multi-process multi-producer multi-region multi-representer multi-row multi-run multi-stage multi-statement
    multi-step multi-target multi-thread multi-threaded multi-threading multi-turn multi-type multi-user multi-value
    multi-valued multi-version multi-volume multi-way multi-word multiline-comment multiline-comments
    multiline-regex music-clone music-filter music-map music-separator must-revalidate mutable-set name-addr
    name-char name-derived name-only name-rule name-value native-unicode near-constant near-matching near-zero
    nested-comment nested-define nested-function nested-remove nested-set net-accept net-close net-connect net-error
    net-interface net-listen net-local net-packet net-select net-send net-service net-sessions network-address
    network-level network-only never-executed new-line new-resizable new-sequence new-value newly-created
    newly-opened newly-pinned next-float next-frame next-handle next-method next-to-last next-window nicer-looking
    nonpiped-strings normal-flag normal-stems normal-text not-allowed not-any not-before not-equal not-equals
    not-every not-found not-in not-pair not-supported not-to-work note-by-number note-columns note-events note-head
    note-heads note-names note-to-cluster notes-to-clusters null-byte null-environment null-list number-format
    number-list number-or-pair number-or-string number-pair number-to-string number-type object-address object-body
    object-class object-file object-fit object-hash object-info object-interface object-level object-name
    object-position object-properties object-property object-to-object object-type off-by-one off-channel off-line
    off-screen offset-add offset-anchor offset-distance offset-mode offset-path offset-position offset-producing
    offset-returning offset-rotate offset-scale often-used old-and-unmanageable old-school on-channel on-disk
    on-line on-screen on-stack one-and-only one-argument one-bits one-by-one one-byte one-char one-column
    one-element one-hot one-indexed one-item one-length one-letter one-level one-line one-liner one-of one-off
    one-offs one-second one-sided one-step one-time one-to-many one-to-one one-way one-word only-in open-ended
    open-file open-font open-group open-panel open-quote open-source opening-brace operating-system operator-summary
    option-adding option-and-value option-parsing or-group or-map order-number order-only order-preserving
    ordered-by other-axis other-buffer other-read other-writable other-write out-of-band out-of-bound out-of-bounds
    out-of-date out-of-line out-of-memory out-of-order out-of-process out-of-range out-of-scope out-of-source
    out-of-sync out-of-tree outer-most output-attributes output-file output-module output-only output-port
    output-scopes output-stream over-ride over-rise over-write pack-objects package-data package-error package-level
    package-name package-page package-prefix package-private package-space packed-spacing page-aligned page-breaking
    page-count page-link page-number page-size pair-fold pair-for-each pair-map pair-of-letter pair-wise pan-down
    pan-left pan-right pan-up paper-height paper-variable parameter-converter parameter-fluid parameter-inner
    parameter-less parameter-separator parameter-values parent-child parse-date parse-error parse-integer parse-path
    parse-time parsed-literal parser-level part-way pass-through passed-in passed-through path-element path-empty
    path-match path-name path-only path-string pattern-matching pattern-wide pause-after pause-before per-algorithm
    per-argument per-attribute per-call per-channel per-class per-client per-column per-command per-compilation
    per-component per-connection per-database per-directory per-element per-entry per-environment per-event
    per-execution per-field per-file per-frame per-function per-group per-host per-instance per-item per-key
    per-label per-level per-line per-link per-member per-message per-method per-module per-object per-pool
    per-process per-project per-query per-region per-request per-requirement per-resource per-row per-run per-server
    per-session per-stream per-subclass per-table per-target per-task per-thread per-token per-type per-user
    per-value per-variable per-version per-word phased-in pick-values pin-project piped-strings place-break
    place-channel place-content place-enabled place-items place-self place-sleep place-wait plain-string plain-text
    platform-native platform-provided platform-shared plug-in plus-minus plus-or-minus point-in-time point-marker
    point-max point-min point-to-point pointed-to pointer-events pointer-fill pointer-set pointer-sized
    pointer-to-function pointer-to-member pool-level pop-last pop-up port-closed port-column port-encoding
    port-for-each port-line port-mode port-number position-bytes position-if position-only positioning-done
    post-call post-commit post-example post-filter post-function post-installation post-load post-order post-process
    post-processed post-processing post-release post-releases power-of-two prefix-in prefix-out prefix-set
    preserve-space pretty-display pretty-format pretty-print pretty-printable pretty-printed pretty-printer
    pretty-printing pretty-prints pretty-write print-box print-disable print-enable print-exception print-graph
    print-keys print-list print-object print-options print-set print-struct print-unreadable private-key
    privately-owned probe-file process-attributes process-buffer process-command process-connection process-contact
    process-filter process-global process-list process-mark process-name process-status process-type process-wide
    processor-count profile-results profile-time program-arguments program-error progress-bar project-scoped
    project-wide promise-forced promise-running prompt-event prompt-output proof-of-concept proper-list
    proper-subset property-name protect-out provider-name provides-extra proxy-connection proxy-only
    proxy-revalidate public-domain public-facing public-final public-key public-looking publication-licensed
    pull-down pure-text pure-virtual push-all push-back push-if push-last query-font quick-and-dirty quick-fix
    quote-common quote-delimited quote-syntax quoted-datum quoted-insert quoted-list quoted-pair quoted-pairs
    quoted-printable quoted-string quoted-strings raise-exception raise-frame random-access random-seed random-state
    random-value randomly-generated range-checking range-limited rank-on-page rate-limit rate-limitation
    rate-limited raw-byte read-ahead read-buffer read-byte read-bytes read-char read-command read-disable
    read-enable read-event read-file read-function read-into read-key read-language read-line read-locked read-only
    read-options read-partial read-sequence read-set read-string read-syntax read-time read-until read-variable
    read-write reader-error reader-event reader-writer real-in real-life real-part real-path real-time real-valued
    real-world recent-keys recently-added record-accessor record-type red-black redirect-inner redirect-port
    redraw-display redraw-frame reduce-index reduce-right reference-counted refresh-token regex-escaped regex-syntax
    region-beginning region-end regular-expression reload-module remote-control remote-tracking remove-empty
    remove-first remove-hook remove-if remove-key remove-layer remove-method remove-step rename-buffer rename-file
    rename-in rename-inner rename-keys rename-out rename-package rename-super rename-transformer replace-elements
    replace-first replace-match replace-slice replace-step replace-subsequence reply-to request-body request-header
    request-host request-level request-only request-pull request-rate request-scoped request-signing request-started
    requested-revision require-extension require-instance required-by reroot-path reset-hook resize-array
    resize-string resolve-interface resolve-module resolve-path resource-cache resource-name resource-type
    rest-after rest-before rest-by-number rest-slice restart-bind restart-case restart-name restart-query
    restore-first restore-signals rethrow-restarts retry-after return-allowed return-description return-path
    return-query return-type return-value reverse-interval revision-date right-align right-aligned right-brace
    right-click right-clicking right-column right-hand right-items right-left right-most right-pointing right-shift
    right-side right-to-left rocky-release root-directory root-level root-name round-down round-floor round-off
    round-robin round-to-even round-trip round-trippable round-tripped round-tripping round-trips round-up
    round-up-exceptions rounded-box row-gap row-level row-major row-number row-resize row-reverse ruby-align
    ruby-base ruby-merge ruby-position ruby-text run-context run-hook run-hooks run-in run-length run-parts run-time
    safe-guards safe-length same-indexed same-kind same-level same-named same-origin same-sized same-tagged
    same-type same-value save-panel save-restriction scale-down scale-float scale-layout scale-up scan-lists
    schema-name scheme-root scheme-value scope-changed score-lines script-column script-content script-files
    script-header scroll-down scroll-left scroll-right scroll-up search-and-replace search-executable search-forward
    search-path second-guess second-last second-level second-pass second-setter second-to-last section-less
    section-marker section-title secure-hash segment-label select-frame select-keys select-option select-window
    selected-by-default selected-frame selected-window selector-for self-assignment self-check self-closed
    self-closing self-contained self-describing self-documenting self-evaluating self-hosted self-insert
    self-installation self-link self-loop self-managed self-pipe self-reference self-references self-referencing
    self-signed self-socket self-updating send-email send-generic send-off separated-out sequence-append
    sequence-count sequence-filter sequence-fold sequence-for-each sequence-generate sequence-length sequence-map
    sequence-tail sequence-types server-assigned server-defined server-generated server-only server-side
    server-to-server service-account session-level session-replay session-save session-scoped set-add set-box
    set-buffer set-car set-clear set-cookie set-copy set-count set-default set-empty set-equal set-field set-first
    set-for-each set-global set-last set-length set-locale set-map set-marker set-member set-mutable set-policy
    set-remove set-rest set-second set-third set-union set-up set-valued set-weak shape-inside shared-bytes
    shared-library shared-memory shared-secret sharp-positions shell-escaped shell-execute shell-quoted shell-script
    shell-session shift-key shift-right short-circuit short-circuiting short-circuits short-cut short-cuts
    short-float short-form short-hand short-lived short-option short-term show-response side-axis side-band
    side-by-side side-channel side-effect side-effecting side-effects sign-extend sign-extending sign-extends
    sign-extension sign-in sign-off signal-process signed-by signed-byte signed-in signed-off-by simple-array
    simple-error simple-exceptions simple-format simple-minded simple-string simple-vector simple-warning
    single-argument single-bit single-block single-byte single-call single-cell single-channel single-char
    single-comment single-compiler single-dash single-digit single-dispatch single-element single-entry single-field
    single-file single-float single-item single-key single-label single-letter single-line single-linked
    single-module single-page single-part single-pass single-platform single-precision single-quote single-quoted
    single-quotes single-script single-step single-stepping single-string single-thread single-threaded single-token
    single-value single-valued single-word size-setter skip-build skip-file skip-of-length sleep-for slice-error
    slot-missing slot-unbound slot-value small-caps snake-case socket-level socket-port soft-light sort-by sort-list
    sort-order sorted-map sorted-set source-code source-control source-directory source-file source-level
    source-only source-properties source-property space-around space-between space-delimited space-lines
    space-separated space-wise spacing-pair spacing-wishes special-case special-cased special-cases special-casing
    special-comment special-key special-symbol specially-formatted speed-up speeds-up spell-out spin-lock split-char
    split-index split-list split-path spring-forward stable-sort stack-length stack-lines stack-thirds stack-trace
    staff-grouper staff-position staff-space staff-symbol stand-alone stand-in standard-char standard-class
    standard-library standard-method standard-object standard-time start-end start-first start-line start-process
    start-stack start-stop start-time start-up state-change state-changing state-machine state-saved static-compiled
    status-bar status-code stem-attachment stem-connectable stem-info step-by-step step-end step-start sticky-host
    still-packed still-reachable still-running stop-after stop-before stop-first stop-process stop-start
    storage-class store-true store-value stream-append stream-contents stream-copy stream-count stream-empty
    stream-error stream-filter stream-first stream-fold stream-for-each stream-length stream-level stream-lines
    stream-map stream-print stream-read stream-rest stream-tail stream-tell stream-write strict-mode string-any
    string-append string-base string-bytes string-compare string-contains string-copy string-count string-delete
    string-double string-drop string-equal string-escape string-escaped string-every string-fill string-filter
    string-fold string-for-each string-formatted string-handling string-hash string-index string-join string-length
    string-lines string-list string-literal string-literals string-map string-match string-methods string-null
    string-or-music string-or-pair string-or-symbol string-port string-prefix string-regular string-replace
    string-reverse string-separated string-set string-single string-skip string-split string-square string-stream
    string-take string-to-bytes string-to-char string-to-multibyte string-to-number string-to-object
    string-to-syntax string-trim string-typed string-unfold string-valued strings-double strings-single strip-space
    stripped-down struct-copy struct-info struct-layout struct-map struct-out struct-set struct-type structure-class
    structure-object sub-actions sub-areas sub-argument sub-arguments sub-array sub-arrays sub-class sub-classed
    sub-classes sub-classing sub-command sub-commands sub-components sub-content sub-diagram sub-dicts
    sub-directories sub-directory sub-domain sub-element sub-elements sub-encoder sub-exceptions sub-expression
    sub-field sub-fields sub-filter sub-folder sub-function sub-graphs sub-group sub-groups sub-header sub-imports
    sub-items sub-iterables sub-key sub-keys sub-layout sub-layouts sub-levels sub-lexer sub-list sub-lists
    sub-match sub-message sub-messages sub-module sub-modules sub-nodes sub-object sub-objects sub-option
    sub-options sub-package sub-packages sub-parser sub-parsers sub-path sub-paths sub-pattern sub-patterns
    sub-process sub-processes sub-project sub-protocol sub-range sub-ranges sub-resource sub-resources sub-second
    sub-seconds sub-section sub-sections sub-sequences sub-set sub-slices sub-string sub-structure sub-tasks
    sub-token sub-tokens sub-tree sub-trees sub-type sub-types sub-window subject-token subprocess-status
    subprocess-wait subr-name subsequence-position substring-fill substring-move sum-lengths sum-squares sum-window
    summary-letter super-class super-classes super-fast super-new super-rename super-set super-simple super-special
    super-user supported-platform supported-versions swift-exception switch-body symbol-append symbol-function
    symbol-hash symbol-list symbol-name symbol-package symbol-property symbol-table symbol-unreadable symbol-value
    sync-create syntax-arm syntax-case syntax-column syntax-disarm syntax-error syntax-line syntax-position
    syntax-property syntax-protect syntax-rearm syntax-rules syntax-source syntax-table syntax-transforming
    system-constant system-count system-defined system-groups system-level system-name system-owned system-provided
    system-release system-type system-users system-value system-wide systems-per-page tab-complete tab-completed
    tab-completion tab-delimited tab-size table-cell table-column table-header table-layout table-of-contents
    table-protocol table-row tag-build tag-by-tag tag-date tag-gallery tag-graph tag-inner tag-math tag-or-block
    tag-wise tagged-union tail-call tail-setter tail-slice take-right tear-down tell-input tell-output
    template-inner template-name ten-year text-align text-bold text-bottom text-decoration text-direction text-edge
    text-mode text-only text-shadow text-spacing text-top text-transform text-wrap then-current third-part
    third-parties third-party third-setter thread-cell thread-dead thread-group thread-local thread-running
    thread-safe thread-safely thread-send thread-state thread-unsafe thread-wait three-argument three-byte
    three-digit three-element three-letter three-level three-way throw-away throw-error throw-restarts tie-break
    tie-breaker tie-breaks time-add time-apply time-of-day time-offset time-only time-out time-series time-signal
    time-stamp time-to-live time-zone timed-out timed-relation timezone-adjusted title-case titling-caps to-array
    to-be to-json to-number top-down top-left top-level top-most top-right top-to-bottom trace-redisplay track-mouse
    trade-off trade-offs trailing-strings transfer-encoded transfer-encoding transform-box transform-origin
    transition-delay transition-duration transition-property translate-scaled trap-error tree-building tree-equal
    tree-wide trim-head trim-slice trim-tail trim-trailing true-color true-entry trusted-hosts try-catch
    try-completion try-except try-finally try-restart two-argument two-byte two-column two-digit two-element
    two-factor two-fold two-item two-key two-letter two-level two-line two-pass two-phase two-pointer two-sided
    two-stage two-step two-tier two-token two-way type-annotated type-annotation type-arrow type-cast type-check
    type-checked type-checking type-checks type-content type-error type-for-copy type-generic type-hint type-level
    type-name type-nested type-of type-record type-safe type-struct type-union type-unsafe typed-array typed-dict
    typing-only ultra-expanded unbound-slot unbound-variable unclip-last unclip-slice undefined-function
    unfold-repeats unfold-right unicode-data unicode-escape unicode-only unicode-safe unicode-wrapped
    uninstall-on-upgrade union-find unit-testing unless-empty unless-none unless-zero unlock-buffer
    unpack-and-compile unquoted-datum unquoted-list unread-char unread-response unread-string unsigned-byte
    unuse-package unwind-protect up-arrow up-front up-to up-to-date up-to-dateness update-proxy upload-archive
    upload-pack upload-time upper-alpha upper-bound upper-case upper-cased upper-left upper-most upper-right
    user-added user-assigned user-callable user-code user-controllable user-controlled user-created user-data
    user-defaults user-defined user-entered user-error user-facing user-friendly user-generated user-input
    user-installed user-interface user-level user-only-writable user-provided user-read user-readable
    user-registered user-requested user-select user-selected user-set user-settable user-space user-supplied
    user-throwable user-variables user-write value-check value-less value-of value-of-other value-start value-type
    values-list variable-bound variable-expanded variable-length variable-names variable-or-escape
    variable-reference variable-set variable-size variable-sized variable-unset vector-append vector-copy
    vector-count vector-drop vector-fill vector-filter vector-for-each vector-length vector-map vector-matrix
    vector-member vector-pop vector-push vector-set vector-take verify-full version-added version-changed
    version-controlled version-matches version-number version-separator very-long view-box virtual-sequence
    visual-basic visual-block voice-balance voice-duration voice-family voice-range voice-rate voice-states
    voice-stress voice-volume voiced-position wall-clock warm-up weak-box weak-set web-app web-hosted web-worker
    week-number weight-keys well-defined well-documented well-formed well-supported when-empty when-first when-not
    when-zero white-box white-on-black white-space wide-char widely-used will-change will-execute will-executor
    will-register window-buffer window-edges window-end window-frame window-list window-parameter window-parameters
    window-parent window-point window-size window-start window-system windows-default windows-native windows-only
    wire-format wish-list word-aligned word-break word-group word-size word-sized word-space word-spacing word-wrap
    word-wrappable work-around work-arounds worker-thread working-tree world-readable world-wide world-writable
    world-writeable wrap-after wrap-around wrap-before wrap-flow wrap-inside wrap-reverse wrap-through
    wrapped-object write-back write-byte write-bytes write-char write-combining write-file write-line write-mode
    write-only write-region write-sequence write-special write-string write-through write-to-file write-to-string
    write-tree writing-mode wrong-values year-month yes-global yield-expression zero-argument zero-bits zero-blocks
    zero-byte zero-copy zero-cost zero-element zero-extension zero-fill zero-filled zero-filling zero-fills
    zero-indexed zero-length zero-offset zero-or-more zero-size zero-sized zero-valued zoom-in zoom-out
    """
)
