"""Steam Power: the spec that names all that the game brings to the shared rooms."""

from steam_env.core.steam_power import compilation
from steam_env.core.steam_power.actions import BLOCKS, KIND_OF, KINDS, MONEY, OPENING_OF
from steam_env.core.steam_power.automa_moments import watch_automas
from steam_env.core.steam_power.events import EVENT_FIELDS
from steam_env.core.steam_power.hidden import blank_games, fill_games
from steam_env.core.steam_power.one import step_game
from steam_env.core.steam_power.scoring import SCORE_PARTS, rank_seats, score_games
from steam_env.core.steam_power.state import (
    ACTION,
    GAME,
    MAX_CONTRACTS,
    MAX_SEATS,
    PHASE_NAMES,
    SCRATCH,
)
from steam_env.core.steam_power.step import find_problem_of, play_automas, settle_games, step_games
from steam_env.core.steam_power.turn import find_first_places
from steam_env.data.steam_power.mixture import deal_records, load_rules, mix_settings
from steam_env.data.steam_power.records import check_records
from steam_env.data.steam_power.rules import (
    AUTOMA_NAMES,
    MATCH_FIELDS,
    MIN_SEATS,
    Rules,
    describe_automas,
    fill_seats,
    make_match_rules,
    seat_automas,
)
from steam_env.data.steam_power.setting import list_shipped, name_cities, read_contents
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.board_features import describe_setting
from steam_env.encoding.steam_power.secrets import write_secrets
from steam_env.render.sheet import PANEL_BOX
from steam_env.render.steam_power import draw_canvas, draw_text, make_scene
from steam_env.render.steam_power.spots import list_spots
from steam_env.render.steam_power.svg import (
    PANEL_LAYERS,
    describe,
    frame_map,
    tell_facts,
    title_seats,
)
from steam_env.spec import Facts, GameSpec, Kernels, Openings, Players, Sight, Words
from steam_env.table.steam_power.position import tell_position
from steam_env.words.steam_power.actions import texts_of
from steam_env.words.steam_power.deal import lay_out_deal
from steam_env.words.steam_power.events import CHANCE_EVENTS, REVEALS, Narrator, deal_event, hide_event
from steam_env.words.steam_power.possible import check_position
from steam_env.words.steam_power.reasons import explain_reason, tell_rules
from steam_env.words.steam_power.scenario import read_scenario
from steam_env.words.steam_power.scenario_writing import write_scenario
from steam_env.words.steam_power.summary import summarise_rules

SPEC = GameSpec(
    game="steam_power",
    version=0,
    load=load_rules,
    mix=mix_settings,
    read_contents=read_contents,
    facts=Facts(
        title="Steam Power",
        rules=Rules,
        seat_counts=tuple(range(MIN_SEATS, MAX_SEATS + 1)),
        blocks=BLOCKS,
        resting_action=MONEY,
        action_kinds=KINDS,
        kind_of=KIND_OF,
        phases=PHASE_NAMES,
        action_phase=ACTION,
        score_parts=SCORE_PARTS,
        max_seats=MAX_SEATS,
        reward_scale=50.0,
        outcome_bound=MAX_CONTRACTS,
        events=EVENT_FIELDS,
        chance_events=CHANCE_EVENTS,
        reveals=REVEALS,
        headlines=("round", "end"),
        score_word="victory points",
        end_word="fulfilled contracts",
        openings=Openings("first city", OPENING_OF, name_cities),
    ),
    kernels=Kernels(
        record=GAME,
        scratch=SCRATCH,
        prepare=compilation.prepare,
        deal=deal_records,
        lay_out=lay_out_deal,
        settle=settle_games,
        step_many=step_games,
        step_one=step_game,
        play_scripted=play_automas,
        watch_scripted=watch_automas,
        find_problem=find_problem_of,
        score=score_games,
        rank=rank_seats,
        first_places=find_first_places,
        blank=blank_games,
        fill=fill_games,
        check_records=check_records,
        check_position=check_position,
    ),
    words=Words(
        texts=texts_of,
        explain=explain_reason,
        deal_event=deal_event,
        hide_event=hide_event,
        narrator=Narrator,
        read_scenario=read_scenario,
        write_scenario=write_scenario,
        tell_rules=tell_rules,
        summarise_rules=summarise_rules,
    ),
    sight=Sight(
        encodings=ENCODINGS.extend("advised", "steam_env.agents.advice:make_advised").extend(
            "charted", "steam_env.agents.charts:make_charted"
        ),
        board_features=describe_setting,
        write_secrets=write_secrets,
        scene=make_scene,
        tell_position=tell_position,
        draw_text=draw_text,
        draw_canvas=draw_canvas,
        describe=describe,
        facts=tell_facts,
        map_frame=frame_map,
        panel_frame=PANEL_BOX,
        panel_layers=PANEL_LAYERS,
        seat_titles=title_seats,
        spots=list_spots,
    ),
    players=Players(
        agents={
            "greedy": "steam_env.agents.greedy:GreedyAgent",
            "greedy:v0": "steam_env.agents.greedy_v0:FirstGreedyAgent",
            "planner": "steam_env.agents.planner:PlannerAgent",
            "random": "steam_env.agents.random:RandomAgent",
        },
        policies=("duel", "table", "nomad"),
        playouts={
            "greedy": "steam_env.agents.greedy_playouts:choose_greedily",
            "random": "steam_env.table.rollout:choose_randomly",
        },
        scripted=AUTOMA_NAMES,
        match_fields=MATCH_FIELDS,
        describe_scripted=describe_automas,
        seat_scripted=seat_automas,
        fill_seats=fill_seats,
        make_match_rules=make_match_rules,
        network="steam_env.agents.network:SteamNetwork",
        network_config="steam_env.agents.network:NetworkConfig",
        networks={
            "advised": ("steam_env.agents.advised:AdvisedNetwork", "steam_env.agents.advised:AdvisedConfig"),
            "nomad": ("steam_env.agents.nomad:NomadNetwork", "steam_env.agents.nomad:NomadConfig"),
            "charted": ("steam_env.agents.charted:ChartedNetwork", "steam_env.agents.charted:ChartedConfig"),
        },
        presets="steam_env.training.steam_power.presets:PRESETS",
        deviations="steam_env.agents.deviations:DEVIATIONS",
    ),
    shipped=list_shipped,
    protocols=(
        "steam_env.evaluation.steam_power.protocols:V1",
        "steam_env.evaluation.steam_power.protocols:V1_SEARCH",
        "steam_env.evaluation.steam_power.protocols:GEN_V1",
    ),
    worlds="steam_env.data.steam_power.sets:WORLDS",
    balance="steam_env.pages.steam_power.balance:BALANCE",
    play="steam_env.playing.steam_power.desk:DESK",
    game_class="steam_env.table.steam_power.game:Game",
    environments={"SteamPower-v0": {}, "SteamPowerSolo-v0": {"mode": "solo"}},
)
