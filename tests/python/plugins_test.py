"""Models of a shared library, examples/models built as a plug-in."""

import os
import shutil

import pytest

import weir

PLUGIN = os.environ["WEIR_TEST_PLUGIN"]


def test_its_models_are_there(small):
    with pytest.raises(weir.InputError, match="leaf-modulo"):
        weir.run({**small, "queueing": "leaf-modulo"})
    loaded = weir.load_plugin(PLUGIN)
    assert ("queueing", "leaf-modulo") in loaded and ("topology", "full-mesh") in loaded
    assert weir.load_plugin(PLUGIN) == loaded
    assert weir.catalogue().model("reaction", "stop-on-mark").purpose
    queueing = weir.models.queueing.leaf_modulo(queues=2)
    assert queueing == {"model": "leaf-modulo", "queues": 2}
    results = weir.run({**small, "queueing": queueing})
    configuration = results.configuration
    assert "content" in str(configuration) and os.path.basename(PLUGIN) in str(configuration)


def test_what_is_no_plugin_is_refused(tmp_path):
    path = tmp_path / "no.so"
    path.write_text("no library")
    with pytest.raises(weir.InputError, match="no shared library"):
        weir.load_plugin(path)


def test_a_refused_plugin_leaves_nothing_behind(tmp_path, small):
    weir.load_plugin(PLUGIN)
    again = tmp_path / "again.so"
    shutil.copy(PLUGIN, again)
    with again.open("ab") as file:
        file.write(b"more")
    for _ in range(2):
        with pytest.raises(weir.InputError, match="has the name of one that"):
            weir.load_plugin(again)
    weir.run({**small, "queueing": "leaf-modulo"})


def test_a_dict_names_plugins(small):
    results = weir.run({"plugins": [PLUGIN], **small, "queueing": "leaf-modulo"})
    assert len(results.fingerprints) == 1
