/// The configuration that `init` writes: one graph with its test, with comments.
enum FirstFile {
  static let name = "signalbox.yaml"

  static let text = #"""
    # yaml-language-server: $schema=/usr/share/signalbox/signalbox.schema.json
    #
    # A first graph. While you edit it:
    #
    #     signalbox dev signalbox.yaml      checks it, runs its tests and reloads it at each save
    #
    # To run it yourself:
    #
    #     export SIGNALBOX_SOCKET=${XDG_RUNTIME_DIR:-/tmp}/signalbox.sock
    #     signalboxd --config signalbox.yaml &
    #     signalbox send room.temperature 31
    #     signalbox subscribe 'room.*'
    #
    # `signalbox operators` lists what can stand in a pipe, `signalbox operators debounce` explains one.
    signalbox: 1

    server:
      socket:
        path: ${XDG_RUNTIME_DIR:-/tmp}/signalbox.sock
        # Only you can connect.
        mode: "0600"

    graphs:
      room:
        doc: A room with a thermometer
        signals:
          # Clients send values to an input.
          temperature:
            doc: What the thermometer measures
            unit_of_measurement: °C
            input: {type: number}
          # A property is an input that has a value from the start.
          limit:
            doc: The highest temperature without an alarm
            unit_of_measurement: °C
            property: {initial: 26, type: number}
          # Computed from both, whenever one of them changes. skip_repeats drops a value that equals the one before, so
          # that the alarm does not repeat itself with every measurement. With hold, the last value can be asked for.
          alarm:
            doc: true while the room is too warm
            combine: {temperature: temperature, limit: limit}
            pipe:
              - map: .temperature > .limit
              - skip_repeats
            hold: true
        # Each column of these diagrams is one minute of virtual time: - is nothing, t and f are true and false.
        tests:
          - name: the alarm rises once, however often the thermometer reports
            tick: 1m
            values: {c: 21, w: 30}
            given: {temperature: "c-wwww-cc"}
            expect: {alarm: "f-t----f-"}
          - name: a higher limit ends the alarm
            tick: 1m
            values: {w: 30, h: 35}
            given: {temperature: "w--", limit: "--h"}
            expect: {alarm: "t-f"}

    """#
}
