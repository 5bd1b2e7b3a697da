"""How onnxruntime is loaded: without the telemetry that it would send and keep by itself."""

import os
from types import ModuleType


def load_onnxruntime() -> ModuleType:
    """Import onnxruntime.

    Since version 1.32 it keeps a device id and usage in the user's cache folder and sends them, unless told not to
    before it is first imported (https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md).
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    module: ModuleType = onnxruntime
    return module
