"""The graphs of the daemons, once for each session that may run at a time."""


def configuration(folder, slots):
    lines = [
        "signalbox: 1",
        f"server: {{state: {folder}/state, limits: {{output: 64KiB}}}}",
        "graphs:",
    ]
    for slot in range(slots):
        lines.append(
            f"""  v{slot:03}:
    signals:
      raw: {{input: {{endable: true}}, replay: 10}}
      plain: {{input: {{endable: true}}}}
      held: {{input: {{endable: true}}, hold: true}}
      big: {{input: {{endable: true}}, replay: 3}}
      number: {{input: {{endable: true, type: integer}}}}
    actions:
      echo: {{exec: [cat], format: json}}
      three: {{exec: [printf, '1\\n"two"\\n[3]\\n'], format: json}}
      bad: {{exec: [sh, -c, 'exit 3']}}
      long: {{exec: [sh, -c, 'echo begun; exec sleep 1000']}}
  p{slot:03}:
    signals:
      a: {{input: {{endable: true}}, replay: 10}}
      b: {{input: {{endable: true}}, replay: 10}}
      c: {{input: {{endable: true}}, replay: 2}}
  d{slot:03}:
    durable: true
    signals:
      in: {{input: {{endable: true}}, replay: 100}}
      sum: {{from: in, pipe: [{{scan: {{initial: 0, next: $state + .}}}}], replay: 100}}
      few: {{from: in, replay: 2}}""")
    return "\n".join(lines) + "\n"
